import { text } from '../../data/texts.tsx'

// The task log: of all users for administrators, otherwise the user's own.
import { IconMusic } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/task',
  title: text('Task log'),
  icon: IconMusic,
  access: 'user',
  go: 'j',
  menu: { group: 'console', order: 50, shownWhen: ({ enable_task }) => enable_task },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
