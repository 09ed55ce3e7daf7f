import { text } from '../../data/texts.tsx'

// Leads to the first saved chat, with the user's first enabled token.
import { IconComment } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/chat2link',
  title: text('Chat'),
  icon: IconComment,
  access: 'user',
  plain: true,
  alone: true,
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
