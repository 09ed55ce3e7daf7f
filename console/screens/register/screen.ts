import { text } from '../../data/texts.tsx'

// The registration page.
import { IconUserAdd } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/register',
  title: text('Sign up'),
  icon: IconUserAdd,
  access: 'public',
  plain: true,
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
