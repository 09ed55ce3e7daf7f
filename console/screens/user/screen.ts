import { text } from '../../data/texts.tsx'

// One user with all of their data, for administrators.
import { IconUser } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/user/:id',
  title: text('User'),
  icon: IconUser,
  access: 'admin',
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
