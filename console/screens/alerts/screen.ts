// Alert rules and their recipients.
import { IconBellStroked } from '@douyinfe/semi-icons'
import { screen } from '../screen.ts'

export const declaration = screen({
  path: '/alerts',
  title: { en: 'Alerts', zh: '告警' },
  icon: IconBellStroked,
  access: 'admin',
  menu: { group: 'admin', order: 36 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
