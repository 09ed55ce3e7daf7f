import { text } from '../../data/texts.tsx'

// The about page of this site.
import { IconInfoCircle } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/about',
  title: text('About'),
  icon: IconInfoCircle,
  access: 'public',
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
