// Any unknown address.
import { IconHelpCircle } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '*',
  title: { en: 'Page not found', zh: '页面不存在' },
  icon: IconHelpCircle,
  access: 'public',
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
