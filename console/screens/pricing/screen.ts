import { text } from '../../data/texts.tsx'

// The price list, for every visitor: the price of each model in each group.
import { IconPriceTag } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/pricing',
  title: text('Pricing'),
  icon: IconPriceTag,
  access: 'public',
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
