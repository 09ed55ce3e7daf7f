// A hold as a row, where several processes share the database, and back.
import type { Hold } from './hold.ts'
import type { HoldRow } from './store.ts'

/** Key of a count of calls in progress, or of what they hold. */
type Counted = string | { held: string }

/** The limits of calls in progress are in the row, so that whoever sweeps it counts them down. */
export function holdRow({ id, account_id, token_id, amount, claims }: Hold, process_id: string): HoldRow {
  const keys = claims?.limits.flatMap(({ kind, key }): Counted[] =>
    kind === 'concurrent' ? [key] : kind === 'held' ? [{ held: key }] : [],
  )
  return { id, account_id, token_id, amount, process_id, concurrent: keys?.length ? JSON.stringify(keys) : null }
}

/** What is left of a hold whose process died: what it reserves, and where it counts as in progress. */
export function fromHoldRow({ id, account_id, token_id, amount, concurrent }: HoldRow): Hold {
  const hold: Hold = { id, account_id, by_user_id: null, token_id, amount }
  if (concurrent === null) return hold
  const limits = (JSON.parse(concurrent) as Counted[]).map((key) =>
    typeof key === 'string' ? { kind: 'concurrent' as const, key, max: 0 } : { kind: 'held' as const, key: key.held },
  )
  return { ...hold, claims: { at: 0, limits } }
}
