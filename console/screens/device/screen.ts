import { text } from '../../data/texts.tsx'

// The page where a signed-in user grants access to a terminal or another program, by the code that it shows.
import { IconTerminal } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/device',
  title: text('Sign in a program'),
  icon: IconTerminal,
  access: 'user',
  plain: true,
  alone: true,
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
