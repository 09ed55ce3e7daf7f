import { text } from '../../data/texts.tsx'

// The playground: chats with one model or several in parallel, charged to the signed-in user.
import { IconCommentStroked } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/playground',
  title: text('Playground'),
  icon: IconCommentStroked,
  access: 'user',
  go: 'p',
  menu: { group: 'start', order: 1 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
