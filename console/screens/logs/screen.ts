// The usage log: of all users for administrators, otherwise the user's own.
import { IconHistogram } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: ['/log', '/log/:request_id'],
  title: { en: 'Usage log', zh: '使用日志' },
  icon: IconHistogram,
  access: 'user',
  go: 'l',
  menu: { group: 'console', order: 30 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
