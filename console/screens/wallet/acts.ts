// Acts of the command palette on the wallet.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'wallet.redeem',
      title: { en: 'Redeem a code', zh: '兑换额度' },
      access: 'user',
      run: (go) => go('/topup', 'redeem'),
    },
  ],
})
