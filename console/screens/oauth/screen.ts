import { text } from '../../data/texts.tsx'

// The address that sign-in services return the browser to.
import { IconUser } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/oauth/:type',
  title: text('Sign in'),
  icon: IconUser,
  access: 'public',
  plain: true,
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
