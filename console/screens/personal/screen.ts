import { text } from '../../data/texts.tsx'

// The user's account: profile, sign-in and warnings.
import { IconUserSetting } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/personal',
  title: text('Personal settings'),
  icon: IconUserSetting,
  access: 'user',
  go: 'y',
  menu: { group: 'personal', order: 20 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
