import { text } from '../../data/texts.tsx'

// The login page.
import { IconUser } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/login',
  title: text('Sign in'),
  icon: IconUser,
  access: 'public',
  plain: true,
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
