// The address that sign-in services return the browser to.
import { IconUser } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/oauth/:type',
  title: { en: 'Sign in', zh: '登录' },
  icon: IconUser,
  access: 'public',
  plain: true,
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
