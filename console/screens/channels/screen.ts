import { text } from '../../data/texts.tsx'

// The channels: list and editor, each at its own address.
import { IconServer } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: ['/channel', '/channel/add', '/channel/edit/:id', '/channel/tag/:tag'],
  title: text('Channels'),
  icon: IconServer,
  access: 'admin',
  go: 'c',
  menu: { group: 'admin', order: 10 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
