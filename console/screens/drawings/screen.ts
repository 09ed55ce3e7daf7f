// The drawing log: everybody's for administrators, one's own for the others.
import { IconImage } from '@douyinfe/semi-icons'
import { screen } from '../screen.ts'

export const declaration = screen({
  path: '/midjourney',
  title: { en: 'Drawing log', zh: '绘图日志' },
  icon: IconImage,
  access: 'user',
  go: 'i',
  menu: { group: 'console', order: 40, shownWhen: ({ enable_drawing }) => enable_drawing },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
