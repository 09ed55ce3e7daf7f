// Settings: everything that operators decide. Whoever is no administrator is led on to what is their own.
import { IconSetting } from '@douyinfe/semi-icons'
import { screen } from '../screen.ts'

export const declaration = screen({
  path: '/setting',
  title: { en: 'System settings', zh: '系统设置' },
  icon: IconSetting,
  access: 'user',
  go: 's',
  menu: { group: 'admin', order: 90 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
