// What a user has to spend: the balance, and the ways to more of it.
import { IconCreditCard } from '@douyinfe/semi-icons'
import { screen } from '../screen.ts'

export const declaration = screen({
  path: '/topup',
  title: { en: 'Wallet', zh: '钱包' },
  icon: IconCreditCard,
  access: 'user',
  go: 'w',
  menu: { group: 'personal', order: 10 },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})
