import { text } from '../../data/texts.tsx'

// Redemption codes, each worth an amount of quota once.
import { IconTicketCode } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/redemption',
  title: text('Redemption codes'),
  icon: IconTicketCode,
  access: 'admin',
  go: 'r',
  menu: { group: 'admin', order: 20 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
