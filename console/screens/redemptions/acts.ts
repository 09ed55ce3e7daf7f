// Acts of the command palette on redemption codes.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'redemptions.create',
      title: (t) => t('Create redemption codes'),
      access: 'admin',
      run: (go) => go('/redemption', 'create'),
    },
  ],
})
