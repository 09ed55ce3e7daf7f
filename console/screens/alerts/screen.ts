import { text } from '../../data/texts.tsx'

// Alert rules and their recipients.
import { IconBellStroked } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/alerts',
  title: text('Alerts'),
  icon: IconBellStroked,
  access: 'admin',
  menu: { group: 'admin', order: 36 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
