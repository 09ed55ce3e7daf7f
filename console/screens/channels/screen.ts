// The channels: list and editor, each with an address of its own.
import { IconServer } from '@douyinfe/semi-icons'
import { screen } from '../screen.ts'

export const declaration = screen({
  path: ['/channel', '/channel/add', '/channel/edit/:id'],
  title: { en: 'Channels', zh: '渠道' },
  icon: IconServer,
  access: 'admin',
  menu: { group: 'admin', order: 10 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
