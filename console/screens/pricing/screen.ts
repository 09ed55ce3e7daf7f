// The price list, for every visitor: the price of each model in each group.
import { IconPriceTag } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/pricing',
  title: { en: 'Pricing', zh: '定价' },
  icon: IconPriceTag,
  access: 'public',
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
