// Caches the owners of API keys. Balances are not cached: they belong to the ledger.
import { isTokenIncluded } from '../bodies/stored-body.ts'
import { fail } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { CachedDataChange, Storage } from '../ports/storage.ts'
import { findDebt, type Debt } from '../quota/debt.ts'
import { getPayerId, splitPin, type CallToken, type PresentedKey } from '../tokens/token.ts'
import type { User } from '../users/user.ts'

export interface CallerCache {
  /**
   * The token of what was presented as a key and its owner; null for an unknown key. A promise only where storage has to
   * be asked.
   */
  find(presented: PresentedKey): CachedToken | null | Promise<CachedToken | null>
  /** Returns the debt that a user is liable for when this account pays; null if there is none. */
  findDebt(user: User, payer: number): Promise<Debt | null>
}

interface CachedToken {
  token: CallToken | null
  user: User
  /** Encryption recipient of the recorded bodies; undefined if the bodies of its calls are not recorded. */
  bodies?: string
  /** The debt of the user or of one of their teams. It blocks every call that another account pays for. */
  debt?: Debt
}

const MAX_CALLERS = 50_000
/** No caller waits longer to be known, in ms. */
const PATIENCE_MS = 5_000
const OWN_PINNED = /^[A-Za-z0-9]{48}-/

/**
 * Caches callers by key. A change to a token or a user drops its entries, and so does a debt that begins or ends.
 * @param applied resolves once storage has the earlier charges
 */
export function createCallerCache(
  storage: Storage,
  clock: Clock,
  applied: () => Promise<void> | undefined = () => undefined,
): CallerCache {
  const cached = new Map<string, CachedToken & { token: CallToken }>()
  let version = 0

  const drop = ({ topic, id }: CachedDataChange) => {
    if (topic !== 'tokens' && topic !== 'users') return
    version += 1
    for (const [key, { token, user }] of cached) {
      if (id === 0 || id === (topic === 'tokens' ? token.id : user.id)) cached.delete(key)
    }
  }
  storage.onChange(drop)

  /** Rejects a read without an answer as an unavailable database. */
  async function patiently<T>(reading: Promise<T>): Promise<T> {
    const answered = new AbortController()
    const late = clock.sleep(PATIENCE_MS, answered.signal).then(
      () => fail('storage.away', {}, { detail: 'storage does not answer' }),
      () => reading,
    )
    return Promise.race([reading, late]).finally(() => answered.abort())
  }

  async function findUserDebt({ id }: User, payer: number): Promise<Debt | null> {
    await applied()
    const user = await storage.users.find(id)
    return user && findDebt({ user, teamDebts: await storage.teams.debtsOf(id) }, payer)
  }

  async function read(presented: PresentedKey): Promise<CachedToken | null> {
    const before = version
    const token: CallToken | null = await storage.tokens.findPresented(presented)
    const user = token && (await storage.users.find(token.user_id))
    if (!token || !user) return null
    if (token.team_id !== 0) {
      // A former member has no token of the team.
      const member = await storage.teams.member(token.team_id, token.user_id)
      if (!member) return null
      token.member = { budget_day: member.budget_day, budget_month: member.budget_month }
    }
    const key = await storage.bodies.key(user.id)
    const debt = await findUserDebt(user, getPayerId(token))
    const bodies = key && isTokenIncluded(key, token.id) ? { bodies: key.recipient } : {}
    const found = { token, user, ...bodies, ...(debt ? { debt } : {}) }
    // Something changed while we read: the answer is good for this call, not for keeping.
    if (before === version) {
      if (cached.size >= MAX_CALLERS) cached.delete(cached.keys().next().value ?? '')
      cached.set(token.key, found)
    }
    return found
  }

  return {
    find(presented) {
      const found = cached.get(presented)
      if (found) return found
      // In Weir's keys only a channel can follow; imported keys may be prefixes of one another.
      const key = OWN_PINNED.test(presented) ? splitPin(presented)?.key : undefined
      return (key === undefined ? undefined : cached.get(key)) ?? patiently(read(presented))
    },
    findDebt: findUserDebt,
  }
}
