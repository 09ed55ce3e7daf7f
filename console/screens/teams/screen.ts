import { text } from '../../data/texts.tsx'

// Teams: people who share a balance.
import { IconUserGroup } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/teams',
  title: text('Teams'),
  icon: IconUserGroup,
  access: 'user',
  go: 'm',
  menu: { group: 'console', order: 25 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
