import { text } from '../../data/texts.tsx'

// A user's API tokens.
import { IconKey } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/token',
  title: text('API tokens'),
  icon: IconKey,
  access: 'user',
  go: 't',
  menu: { group: 'console', order: 20 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
