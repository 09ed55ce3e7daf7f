// Finds the id below which no row of the log can still appear. Processes that share a database take ids in one order
// and commit in another; an exclusive owner writes one transaction after the other.
import type { Knex } from 'knex'
import { queryRows } from './table-shapes.ts'

/** Longer than the time between taking an id and having a transaction id on the server, in ms. */
const MOMENT_MS = 1000

export const createNewestIdReader = (read: Knex) => async (): Promise<number> => {
  const row = await read('logs').max({ id: 'id' }).first()
  return Number(row?.id ?? 0)
}

/** Once every transaction from the time of an observed id has ended, no smaller id can appear. */
export function createSettledIdReader(read: Knex): () => Promise<number> {
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
