// Up to which id no row of the log is still to come. Processes that share a database take ids in one order and commit in
// another; one that owns it writes one transaction after the other.
import type { Knex } from 'knex'
import { queryRows } from './table-shapes.ts'

/** Between taking an id and being a transaction that the server knows of lies less. In ms. */
const MOMENT_MS = 1000

export const newestId = (read: Knex) => async (): Promise<number> => {
  const row = await read('logs').max({ id: 'id' }).first()
  return Number(row?.id ?? 0)
}

/** All transactions that may have taken a smaller id than one that was seen are over, where none of that time is left. */
export function settledIds(read: Knex): () => Promise<number> {
  let settled = 0
  let seen: { id: number; at: number; until?: number } | undefined
  return async () => {
    const [now] = await queryRows<{ id: string; oldest: string; next: string }>(
      read,
      `select coalesce((select max(id) from logs), 0) as id,
        txid_snapshot_xmin(txid_current_snapshot()) as oldest, txid_snapshot_xmax(txid_current_snapshot()) as next`,
    )
    if (!now) return settled
    if (seen?.until !== undefined && Number(now.oldest) >= seen.until) {
      settled = seen.id
      seen = undefined
    }
    if (!seen) seen = { id: Number(now.id), at: performance.now() }
    else if (seen.until === undefined && performance.now() - seen.at >= MOMENT_MS) seen.until = Number(now.next)
    return settled
  }
}
