// The channels: list and editor, each at its own address.
import { IconServer } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: ['/channel', '/channel/add', '/channel/edit/:id', '/channel/tag/:tag'],
  title: { en: 'Channels', zh: '渠道' },
  icon: IconServer,
  access: 'admin',
  go: 'c',
  menu: { group: 'admin', order: 10 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
