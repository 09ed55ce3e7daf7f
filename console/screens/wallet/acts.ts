// Acts of the command palette on the wallet.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'wallet.redeem',
      title: (t) => t('Redeem a code'),
      access: 'user',
      run: (go) => go('/topup', 'redeem'),
    },
  ],
})
