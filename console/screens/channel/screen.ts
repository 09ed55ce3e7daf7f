import { text } from '../../data/texts.tsx'

// One channel: its health, keys, errors, calls and changes.
import { IconServer } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/channel/:id',
  title: text('Channel'),
  icon: IconServer,
  access: 'admin',
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
