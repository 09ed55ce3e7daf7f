import { text } from '../../data/texts.tsx'

// Any unknown address.
import { IconHelpCircle } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '*',
  title: text('Page not found'),
  icon: IconHelpCircle,
  access: 'public',
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
