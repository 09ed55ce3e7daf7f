import { text } from '../../data/texts.tsx'

// The home page: the operator's, or the built-in one.
import { IconHome } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/',
  title: text('Home'),
  icon: IconHome,
  access: 'public',
  plain: true,
  alone: true,
  go: 'h',
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
