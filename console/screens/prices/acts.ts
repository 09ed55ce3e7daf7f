// Acts of the command palette on prices.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'prices.set',
      title: (t) => t('Set the price of a model…'),
      access: 'admin',
      about: 'model',
      run: (go, { name }) => go(`/prices?${new URLSearchParams({ edit: name }).toString()}`),
    },
    {
      key: 'prices.missing',
      title: (t) => t('Find models without a price'),
      access: 'admin',
      run: (go) => go('/prices?tab=missing'),
    },
    {
      key: 'prices.sync',
      title: (t) => t('Compare prices with a catalogue'),
      access: 'admin',
      run: (go) => go('/prices?tab=sync'),
    },
  ],
})
