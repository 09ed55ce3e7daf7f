// Any unknown address.
import { IconHelpCircle } from '@douyinfe/semi-icons'
import { screen } from '../screen.ts'

export const declaration = screen({
  path: '*',
  title: { en: 'Page not found', zh: '页面不存在' },
  icon: IconHelpCircle,
  access: 'public',
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
