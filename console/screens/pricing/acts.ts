// The pages of models in the results of the command palette.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'pricing.open',
      title: { en: 'See what models cost', zh: '查看模型价格' },
      access: 'public',
      run: (go) => go('/pricing'),
    },
    {
      key: 'pricing.quick',
      title: { en: 'Find the cheapest model that answers in 2 s', zh: '查找 2 秒内应答的最便宜模型' },
      access: 'user',
      run: (go) => go('/pricing?within=2&sort=price'),
    },
  ],
})
