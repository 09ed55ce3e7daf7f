// What the palette can do with the wallet.
import { brings } from '../act.ts'

export const declaration = brings({
  acts: [
    {
      key: 'wallet.redeem',
      title: { en: 'Redeem a code', zh: '兑换额度' },
      access: 'user',
      run: (go) => go('/topup', 'redeem'),
    },
  ],
})
