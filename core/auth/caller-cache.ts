// Who an API key belongs to, in memory. Balances are not kept here: they are the ledger's.
import type { Change, Storage } from '../ports/storage.ts'
import type { CallToken } from '../tokens/token.ts'
import type { User } from '../users/user.ts'

export interface CallerCache {
  /** The token of a key and its owner; null for an unknown key. A promise only where storage has to be asked. */
  find(key: string): Found | null | Promise<Found | null>
}

interface Found {
  token: CallToken | null
  user: User
}

const MAX_CALLERS = 50_000

/** Keeps callers by key; a change to a token or user drops what was kept of it. */
export function createCallerCache(storage: Storage): CallerCache {
  const kept = new Map<string, Found & { token: CallToken }>()
  let version = 0

  const drop = ({ topic, id }: Change) => {
    if (topic !== 'tokens' && topic !== 'users') return
    version += 1
    for (const [key, { token, user }] of kept) {
      if (id === 0 || id === (topic === 'tokens' ? token.id : user.id)) kept.delete(key)
    }
  }
  storage.onChange(drop)

  async function read(key: string): Promise<Found | null> {
    const before = version
    const token: CallToken | null = await storage.tokens.findByKey(key)
    const user = token && (await storage.users.find(token.user_id))
    if (!token || !user) return null
    if (token.team_id !== 0) {
      // Who is no member any more has no token of the team.
      const member = await storage.teams.member(token.team_id, token.user_id)
      if (!member) return null
      token.member = { budget_day: member.budget_day, budget_month: member.budget_month }
    }
    // Something changed while we read: the answer is good for this call, not for keeping.
    if (before === version) {
      if (kept.size >= MAX_CALLERS) kept.delete(kept.keys().next().value ?? '')
      kept.set(key, { token, user })
    }
    return { token, user }
  }

  return { find: (key) => kept.get(key) ?? read(key) }
}
