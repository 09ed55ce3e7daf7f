import { text } from '../../data/texts.tsx'

// The route of a model's calls: a separate address, below the channels.
import { IconBranch } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/channel/route',
  title: text('Route of calls'),
  icon: IconBranch,
  access: 'admin',
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
