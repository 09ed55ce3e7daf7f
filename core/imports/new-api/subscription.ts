// Reports the subscriptions of users, which Weir does not have, with their remaining quota, so that an administrator
// can grant it.
import { fillTemplate, words } from '../../errors.ts'
import { getCellCount, getCellTime, getCellWord, type SourceRow } from '../cells.ts'
import type { LeftRow } from '../product.ts'

export function newApiSubscription(row: SourceRow): LeftRow {
  const [user, plan, status] = [getCellWord(row, 'user_id'), getCellWord(row, 'plan_id'), getCellWord(row, 'status')]
  const [total, end] = [getCellCount(row, 'amount_total'), getCellTime(row, 'end_time')]
  const rest = Math.max(0, total - getCellCount(row, 'amount_used'))
  const until = end > 0 ? new Date(end * 1000).toISOString() : '-'
  return {
    kind: 'subscription',
    id: getCellWord(row, 'id'),
    name: `user ${user}`,
    left: fillTemplate(
      words(
        'Weir has no subscriptions: user {user} had plan {plan} ({status}) until {until}, with {rest} of {total} units left',
      ),
      { user, plan: plan || '-', status: status || '-', until, rest, total },
    ),
  }
}
