// Pays an admitted call in advance: limits, budgets and balances are checked and taken in one step of the ledger. Every
// operation comes through here, with a token or without.
import { callLimits } from '../limits/call-limits.ts'
import type { ExpectedTokens } from '../limits/rate.ts'
import type { Estimate } from '../pricing/estimate.ts'
import type { Hold } from '../quota/hold.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { maskKey, type Token } from '../tokens/token.ts'
import type { User } from '../users/user.ts'

/** Who calls, and the group that decides the call. */
export interface Reserving {
  user: User
  /** Null where the call came without one (the playground). */
  token: Token | null
  group: string
}

/**
 * Holds what the call may cost and counts it against its limits.
 * @throws GatewayError limit.*, budget.*, quota.insufficient, quota.token_insufficient, key.exhausted: nothing is held
 */
export function reserve(
  ledger: Ledger,
  who: Reserving,
  { quota, free }: Estimate,
  expected: ExpectedTokens,
  settings: Settings,
): Promise<Hold> {
  const { user, token } = who
  const limits = callLimits(who, expected, settings)
  const payer = { user_id: user.id, token: token && { id: token.id, mask: maskKey(token.key) } }
  return ledger.hold(payer, quota, limits ? { free, limits } : { free })
}
