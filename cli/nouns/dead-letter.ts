// Display of charges that are not booked.
import type { WeirClient } from '../../core/contracts.ts'
import { words } from '../texts.ts'
import { count, flag, money, text, time, type OutputView } from '../output/view.ts'

type Pending = Awaited<ReturnType<WeirClient['quota']['pending']>>
type Retried = Awaited<ReturnType<WeirClient['quota']['retry']>>[number]

export const deadLetterView: OutputView<Pending['refused'][number]> = {
  hold_id: text(words('CHARGE', { context: 'entry' }), 1, ({ hold_id }) => hold_id),
  time: time(words('DATE'), 1, ({ created_at }) => created_at),
  account_id: count(words('ACCOUNT'), 1, ({ account_id }) => account_id),
  amount: money(words('AMOUNT'), 1, ({ quota }) => quota),
  reason: text(words('REASON'), 2, ({ reason }) => reason, { flexible: true, below: true }),
  token_id: count(words('TOKEN ID'), 0, ({ token_id }) => token_id),
  by_user_id: count(words('BY ID'), 0, ({ by_user_id }) => by_user_id),
  request_id: text(words('REQUEST'), 0, ({ request_id }) => request_id || null),
}

export const retriedLetterView: OutputView<Retried> = {
  hold_id: text(words('CHARGE', { context: 'entry' }), 1, ({ hold_id }) => hold_id),
  booked: flag(words('BOOKED'), 1, ({ booked }) => booked),
  reason: text(words('REASON'), 2, ({ reason }) => reason || null, { flexible: true, below: true }),
}
