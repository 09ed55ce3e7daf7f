import { text } from '../../data/texts.tsx'

// A forgotten password: requesting a link, and the page of the link.
import { IconLock } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: ['/reset', '/user/reset'],
  title: text('Reset password'),
  icon: IconLock,
  access: 'public',
  plain: true,
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
