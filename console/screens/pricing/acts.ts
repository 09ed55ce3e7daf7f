// Where the models lead that the palette finds.
import { brings } from '../act.ts'

export const declaration = brings({
  acts: [
    {
      key: 'pricing.open',
      title: { en: 'See what models cost', zh: '查看模型价格' },
      access: 'public',
      run: (go) => go('/pricing'),
    },
  ],
})
