// Acts of the command palette on redemption codes.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'redemptions.create',
      title: { en: 'Create redemption codes', zh: '添加兑换码' },
      access: 'admin',
      run: (go) => go('/redemption', 'create'),
    },
  ],
})
