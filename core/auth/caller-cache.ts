// Who an API key belongs to, in memory. Balances are not kept here: they are the ledger's.
import type { Change, Storage } from '../ports/storage.ts'
import type { Token } from '../tokens/token.ts'
import type { User } from '../users/user.ts'

export interface CallerCache {
  /** The token of a key and its owner; null for an unknown key. */
  find(key: string): Promise<{ token: Token | null; user: User } | null>
}

const MAX_CALLERS = 50_000

/** Keeps callers by key; a change to a token or user drops what was kept of it. */
export function createCallerCache(storage: Storage): CallerCache {
  const kept = new Map<string, { token: Token; user: User }>()
  let version = 0

  const drop = ({ topic, id }: Change) => {
    if (topic !== 'tokens' && topic !== 'users') return
    version += 1
    for (const [key, { token, user }] of kept) {
      if (id === 0 || id === (topic === 'tokens' ? token.id : user.id)) kept.delete(key)
    }
  }
  storage.onChange(drop)

  return {
    async find(key) {
      const known = kept.get(key)
      if (known) return known
      const before = version
      const token = await storage.tokens.findByKey(key)
      const user = token && (await storage.users.find(token.user_id))
      if (!token || !user) return null
      // Something changed while we read: the answer is good for this call, not for keeping.
      if (before === version) {
        if (kept.size >= MAX_CALLERS) kept.delete(kept.keys().next().value ?? '')
        kept.set(key, { token, user })
      }
      return { token, user }
    },
  }
}
