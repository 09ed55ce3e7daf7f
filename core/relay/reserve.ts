// Pays an admitted call in advance: limits, budgets and balances are checked and taken in one step of the ledger. Every
// operation comes through here, with a token or without.
import { GatewayError, type ErrorCode } from '../errors.ts'
import type { Estimate } from '../pricing/estimate.ts'
import type { Hold } from '../quota/hold.ts'
import type { Limit } from '../quota/limit.ts'
import type { CallLedger } from '../quota/ledger.ts'
import { callBudgets } from '../tokens/budget.ts'
import { findPayer } from './paying-account.ts'
import type { CallToken } from '../tokens/token.ts'
import type { User } from '../users/user.ts'

/** Who calls, and the group that decides the call. */
export interface HoldOwner {
  user: User
  /** Null where the call came without one (the playground). */
  token: CallToken | null
  group: string
}

/** No balance covers what was to be held. */
const SHORT = new Set<ErrorCode>(['quota.insufficient', 'quota.token_insufficient'])

/**
 * Holds what the call may cost and counts it against its limits. Whom that would refuse need not have more than
 * `greatest`, the most that the call can come to: the estimate has room for what it does not know.
 * @throws GatewayError limit.*, budget.*, quota.insufficient, quota.token_insufficient, key.exhausted: nothing is held
 */
export function reserveQuota(
  ledger: CallLedger,
  who: HoldOwner,
  { quota, free }: Estimate,
  limits: Limit[] | undefined,
  greatest: () => number | undefined = unknown,
): Promise<Hold> {
  const payer = findPayer(who)
  const options = limits ? { free, limits } : { free }
  return ledger
    .hold(payer, quota, options)
    .catch((refusal: unknown) => ledger.hold(payer, lessThan(quota, greatest, refusal), options))
}

const unknown = () => undefined

/** @throws what refused the first amount, where the other is not less */
function lessThan(amount: number, greatest: () => number | undefined, refusal: unknown): number {
  const most = refusal instanceof GatewayError && SHORT.has(refusal.code) ? greatest() : undefined
  if (most === undefined || most >= amount) throw refusal
  return most
}

/**
 * Holds what is dearer than what is `held` already for a call that is counted already: balances and budgets decide.
 * @throws GatewayError budget.*, quota.insufficient, quota.token_insufficient, key.exhausted
 */
export function reserveMore(
  ledger: CallLedger,
  who: Omit<HoldOwner, 'group'>,
  quota: number,
  held = 0,
  greatest: () => number | undefined = unknown,
): Promise<Hold> {
  const payer = findPayer(who)
  const options = { limits: who.token ? callBudgets(who.token) : [] }
  const more = (amount: number) => ledger.hold(payer, Math.max(0, amount - held), options)
  return more(quota).catch((refusal: unknown) => more(lessThan(quota, greatest, refusal)))
}

/** For work that is done and will be charged, whatever it comes to: no balance refuses it. */
export const createZeroHold = (ledger: CallLedger, who: Omit<HoldOwner, 'group'>): Promise<Hold> =>
  ledger.hold(findPayer(who), 0, { free: true })
