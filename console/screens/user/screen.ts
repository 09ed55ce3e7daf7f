// One user with all of their data, for administrators.
import { IconUser } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/user/:id',
  title: { en: 'User', zh: '用户' },
  icon: IconUser,
  access: 'admin',
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
