// The pages of models in the results of the command palette.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'pricing.open',
      title: (t) => t('See what models cost'),
      access: 'public',
      run: (go) => go('/pricing'),
    },
    {
      key: 'pricing.quick',
      title: (t) => t('Find the cheapest model that answers in 2 s'),
      access: 'user',
      run: (go) => go('/pricing?within=2&sort=price'),
    },
  ],
})
