// The notice to the super administrator of a charge that was not booked.
import { fillTemplate } from '../errors.ts'
import type { DeadLetter } from '../quota/dead-letters.ts'
import type { Notice } from './notice.ts'

const SAID = {
  en: 'A charge of {units} quota on account {account} is not booked, because storage refused it: {why}. See `weir ledger pending`.',
  zh: '账户 {account} 的一笔 {units} 额度的扣费尚未入账，存储拒绝了它：{why}。请查看 `weir ledger pending`。',
} as const

export const refusedNotice = ({ account_id: account, quota: units, reason: why }: DeadLetter): Notice => ({
  kind: 'charge_refused',
  text: fillTemplate(SAID, { account, units, why }),
})
