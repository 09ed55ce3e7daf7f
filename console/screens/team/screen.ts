import { text } from '../../data/texts.tsx'

// One team: its balance, members, spending, tokens and calls.
import { IconUserGroup } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/teams/:id',
  title: text('Team'),
  icon: IconUserGroup,
  access: 'user',
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
