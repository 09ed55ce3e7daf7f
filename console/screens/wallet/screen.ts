import { text } from '../../data/texts.tsx'

// The wallet: the balance of a user, and the ways to top it up.
import { IconCreditCard } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/topup',
  title: text('Wallet'),
  icon: IconCreditCard,
  access: 'user',
  go: 'w',
  menu: { group: 'personal', order: 10 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
