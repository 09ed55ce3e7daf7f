// What the palette can do with redemption codes.
import { brings } from '../act.ts'

export const declaration = brings({
  acts: [
    {
      key: 'redemptions.create',
      title: { en: 'Create redemption codes', zh: '添加兑换码' },
      access: 'admin',
      run: (go) => go('/redemption', 'create'),
    },
  ],
})
