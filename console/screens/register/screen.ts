// The registration page.
import { IconUserAdd } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/register',
  title: { en: 'Sign up', zh: '注册' },
  icon: IconUserAdd,
  access: 'public',
  plain: true,
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
