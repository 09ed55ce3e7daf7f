// The page where a signed-in user grants access to a terminal or another program, by the code that it shows.
import { IconTerminal } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/device',
  title: { en: 'Sign in a program', zh: '登录程序' },
  icon: IconTerminal,
  access: 'user',
  plain: true,
  alone: true,
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
