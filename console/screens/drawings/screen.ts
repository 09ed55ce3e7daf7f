// The drawing log: of all users for administrators, otherwise the user's own.
import { IconImage } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/midjourney',
  title: { en: 'Drawing log', zh: '绘图日志' },
  icon: IconImage,
  access: 'user',
  go: 'i',
  menu: { group: 'console', order: 40, shownWhen: ({ enable_drawing }) => enable_drawing },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
