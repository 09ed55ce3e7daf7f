import { text } from '../../data/texts.tsx'

// All accounts, for administrators. The panel that adds or edits one has its own address.
import { IconUser } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: ['/user', '/user/edit', '/user/edit/:id'],
  title: text('Users'),
  icon: IconUser,
  access: 'admin',
  go: 'u',
  menu: { group: 'admin', order: 30 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
