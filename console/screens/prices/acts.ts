// Acts of the command palette on prices.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'prices.set',
      title: { en: 'Set the price of a model…', zh: '设置模型的价格…' },
      access: 'admin',
      about: 'model',
      run: (go, { name }) => go(`/prices?${new URLSearchParams({ edit: name }).toString()}`),
    },
    {
      key: 'prices.missing',
      title: { en: 'Find models without a price', zh: '查找没有价格的模型' },
      access: 'admin',
      run: (go) => go('/prices?tab=missing'),
    },
    {
      key: 'prices.sync',
      title: { en: 'Compare prices with a catalogue', zh: '与价格目录比较' },
      access: 'admin',
      run: (go) => go('/prices?tab=sync'),
    },
  ],
})
