import { text } from '../../data/texts.tsx'

// The usage log: of all users for administrators, otherwise the user's own.
import { IconHistogram } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: ['/log', '/log/:request_id'],
  title: text('Usage log'),
  icon: IconHistogram,
  access: 'user',
  go: 'l',
  menu: { group: 'console', order: 30 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
