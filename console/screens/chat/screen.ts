import { text } from '../../data/texts.tsx'

// A chat of another site, in a frame: it gets a token of the user's and the address of this server.
import { IconComment } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: ['/chat', '/chat/:id'],
  title: text('Chat'),
  icon: IconComment,
  access: 'public',
  plain: true,
  alone: true,
  menu: {
    group: 'start',
    order: 2,
    below: ({ chats }) =>
      chats.flatMap((each) => Object.keys(each)).map((label, index) => ({ path: `/chat/${index}`, label })),
  },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
