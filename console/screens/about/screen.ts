// The about page of this site.
import { IconInfoCircle } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/about',
  title: { en: 'About', zh: '关于' },
  icon: IconInfoCircle,
  access: 'public',
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
