// The audit of changes, for administrators.
import { IconHistory } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/audit',
  title: { en: 'Audit', zh: '操作审计' },
  icon: IconHistory,
  access: 'admin',
  go: 'a',
  menu: { group: 'admin', order: 35 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
