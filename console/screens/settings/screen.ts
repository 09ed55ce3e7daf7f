import { text } from '../../data/texts.tsx'

// Settings: everything that operators decide.
import { IconSetting } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/setting',
  title: text('System settings'),
  icon: IconSetting,
  access: 'admin',
  // Other users are redirected to their personal settings.
  instead: '/personal',
  go: 's',
  menu: { group: 'admin', order: 90 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
