import { text } from '../../data/texts.tsx'

// The first-run wizard.
import { IconSetting } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/setup',
  title: text('Setup'),
  icon: IconSetting,
  access: 'public',
  plain: true,
  alone: true,
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
