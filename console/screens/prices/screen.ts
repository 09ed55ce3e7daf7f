import { text } from '../../data/texts.tsx'

// Prices: the prices of models, and the effect of other prices.
import { IconCoinMoneyStroked } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/prices',
  title: text('Model prices'),
  icon: IconCoinMoneyStroked,
  access: 'admin',
  menu: { group: 'admin', order: 15 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
