import { text } from '../../data/texts.tsx'

// The dashboard: usage by groups, and the problems that need attention first.
import { IconLineChartStroked } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/detail',
  title: text('Dashboard'),
  icon: IconLineChartStroked,
  access: 'user',
  go: 'd',
  menu: { group: 'console', order: 10, shownWhen: ({ enable_data_export }) => enable_data_export },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
