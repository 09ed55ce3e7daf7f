import { text } from '../../data/texts.tsx'

// A user's API tokens. The panel that creates or edits one has its own address.
import { IconKey } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: ['/token', '/token/edit', '/token/edit/:id'],
  title: text('API tokens'),
  icon: IconKey,
  access: 'user',
  go: 't',
  menu: { group: 'console', order: 20 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
