// Converts holds to rows and back, if several processes share the database.
import type { Hold } from './hold.ts'
import type { HoldRow } from './store.ts'

/** Key of a concurrency counter, or of the quota that open calls hold. */
type Counted = string | { held: string }

/** The row lists the concurrency limits, so that the process that sweeps it counts them down. */
export function toHoldRow({ id, account_id, token_id, amount, claims }: Hold, process_id: string): HoldRow {
  const keys = claims?.limits.flatMap(({ kind, key }): Counted[] =>
    kind === 'concurrent' ? [key] : kind === 'held' ? [{ held: key }] : [],
  )
  return { id, account_id, token_id, amount, process_id, concurrent: keys?.length ? JSON.stringify(keys) : null }
}

/** Rebuilds the hold of a process that died: its reservation, and the counters of calls in progress. */
export function fromHoldRow({ id, account_id, token_id, amount, concurrent }: HoldRow): Hold {
  const hold: Hold = { id, account_id, by_user_id: null, token_id, amount }
  if (concurrent === null) return hold
  const limits = (JSON.parse(concurrent) as Counted[]).map((key) =>
    typeof key === 'string' ? { kind: 'concurrent' as const, key, max: 0 } : { kind: 'held' as const, key: key.held },
  )
  return { ...hold, claims: { at: 0, limits } }
}
