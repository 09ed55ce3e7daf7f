// A log row for a charge that could not be booked and needs manual attention.
import { EMPTY_LOG_ROW, type NewLogEntry } from '../calls/log-entry.ts'
import { fillTemplate, words } from '../errors.ts'
import type { LedgerOperation } from './operation.ts'

/** The log's type of errors. */
const ERROR = 5

/** The text of the row. `why` is in English, as the ledger stores it. */
export const UNBOOKED = words('A charge of {units} quota was refused and is not booked (hold {hold}): {why}')

/** `created_at` in epoch seconds. */
export function buildUnbookedLogEntry(
  { hold, settlement }: Pick<LedgerOperation & { kind: 'settle' }, 'hold' | 'settlement'>,
  reason: string,
  created_at: number,
): NewLogEntry {
  const { quota, channel_id, request_id = '' } = settlement
  return {
    ...EMPTY_LOG_ROW,
    type: ERROR,
    created_at,
    user_id: hold.by_user_id ?? hold.account_id,
    token_id: hold.token_id ?? 0,
    channel: channel_id,
    request_id,
    hold_id: hold.id,
    content: fillTemplate(UNBOOKED, { units: quota, hold: hold.id, why: reason }).en,
  }
}
