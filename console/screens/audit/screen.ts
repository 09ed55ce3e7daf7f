import { text } from '../../data/texts.tsx'

// The audit of changes, for administrators.
import { IconHistory } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/audit',
  title: text('Audit'),
  icon: IconHistory,
  access: 'admin',
  go: 'a',
  menu: { group: 'admin', order: 35 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
