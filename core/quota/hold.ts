// Reserves quota before a call: the payer, and whether a balance can cover it.
import { GatewayError, EMPTY_WORDS } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { LimitClaims } from './limits.ts'
import type { Account, HoldRow, TokenAccount } from './store.ts'

/** The payer: an account, and the token of the call, if any. `mask` names the token in a refusal. */
export interface Payer {
  account_id: number
  /** Id of the calling user, if another account pays; null otherwise. */
  by_user_id: number | null
  token: { id: number; mask: string } | null
}

/** Quota reserved for one call. It is resolved once: by settle or by release. */
export interface Hold {
  id: string
  account_id: number
  by_user_id: number | null
  token_id: number | null
  amount: number
  /** The limits that count it; undefined if it has none. */
  claims?: LimitClaims
  /** Id of the quota lease that it was taken from; undefined if it has its own row, or is in memory. */
  lease?: string
}

/** A request to reserve a hold. `free`: the price is exactly 0. */
export interface HoldRequest {
  kind: 'hold'
  hold: Hold
  payer: Payer
  free: boolean
}

/** Selects quota leases: of an account, of a token, or all of them if neither is set. */
export type LeasedBy = Partial<Pick<Hold, 'account_id' | 'token_id'>>

/** Grants the holds of this process and ends them: in memory (SQLite), or as rows and quota leases (PostgreSQL). */
export interface HoldKeeper {
  /** Reserves a hold; undefined if that is done already. @throws GatewayError if it is refused */
  grant(request: HoldRequest): Promise<void> | undefined
  /** @throws GatewayError if there is no quota left to spend */
  refuseEmpty(payer: Payer): Promise<void>
  /** Ends the hold of a finished call. Returns the hold to book: what it reserves until the charge is booked. */
  endCharged(hold: Hold, cost: { quota: number; tokens?: number }): Hold
  /** Ends the hold of a failed call. Returns the hold to book, and whether the database has a row of it. */
  endReleased(hold: Hold): { hold: Hold; hasRow: boolean }
  /** Ends what this process keeps of a hold that the commit of a credit has freed. */
  endFreed(hold: Hold): void
  /** True if calls can get their holds now. Sends no query. */
  isReady(): boolean
  /** Frees the holds of processes that died, and forgets what has expired. Returns the number of freed holds. */
  sweep(): Promise<number>
  /** Returns the quota that this process has leased and no call holds. */
  giveBack(scope: LeasedBy): Promise<void>
  /** Reports that a balance was reduced: every process returns the quota that it has leased of the account. */
  onReduced(accountId: number): Promise<void>
  /** Grants no more, drains the queue, and ends the lease of the process. */
  close(drain: () => Promise<void>): Promise<void>
}

/** Returns the hold of a charge that is booked without a reservation, or after it is gone. */
export const withoutReservation = (hold: Hold): Hold => ({ ...hold, amount: 0, claims: undefined, lease: undefined })

/**
 * Returns the error if a hold of `amount` quota units cannot be granted, else null. A call whose price is exactly 0
 * (`free`) needs no balance (docs/billing.md, 5).
 */
export function findHoldRefusal(
  payer: Payer,
  amount: number,
  free: boolean,
  account: Account | undefined,
  token: TokenAccount | undefined,
): GatewayError | null {
  if (!account) return new GatewayError('user.missing')
  if (payer.token && !token) return new GatewayError('key.unknown')
  if (!Number.isSafeInteger(account.quota)) return new GatewayError('quota.out_of_range')
  if (free) return null
  const limited = token && !token.unlimited_quota ? token : undefined
  if (limited && limited.remain_quota <= 0)
    return new GatewayError('key.exhausted', { masked: payer.token?.mask ?? '' })
  const spendable = account.quota - account.held
  if (spendable <= 0 || spendable < amount) {
    return new GatewayError('quota.insufficient', { balance: spendable, needed: amount, fits: EMPTY_WORDS })
  }
  if (limited && limited.remain_quota - limited.held < Math.max(1, amount)) {
    const balance = limited.remain_quota - limited.held
    return new GatewayError('quota.token_insufficient', { balance, needed: amount, fits: EMPTY_WORDS })
  }
  return null
}

/**
 * Returns the error if no quota at all could be held, else null. The holds of other calls are not counted, since they
 * may be freed.
 */
export const findEmptyRefusal = (
  payer: Payer,
  account: Account | undefined,
  token: TokenAccount | undefined,
): GatewayError | null =>
  findHoldRefusal(payer, 1, false, account && { ...account, held: 0 }, token && { ...token, held: 0 })

/** Creates ids that begin with the time, so that their unique index grows only at its end. */
export function createHoldIds(clock: Clock, random: Random): () => string {
  let time = 0
  let begin = ''
  return () => {
    const now = clock.now()
    // Formatted again only when the time has changed: this runs on every call.
    if (now !== time) begin = (time = now).toString(36)
    return begin + random.text(12)
  }
}

// Converts holds to rows and back, if several processes share the database.

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
