// The first-run wizard.
import { IconSetting } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/setup',
  title: { en: 'Setup', zh: '初始化' },
  icon: IconSetting,
  access: 'public',
  plain: true,
  alone: true,
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
