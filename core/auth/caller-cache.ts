// Who an API key belongs to, in memory. Balances are not kept here: they are the ledger's.
import type { Change, Storage } from '../ports/storage.ts'
import type { Token } from '../tokens/token.ts'
import type { User } from '../users/user.ts'

export interface CallerCache {
  /** The token of a key and its owner; null for an unknown key. A promise only where storage has to be asked. */
  find(key: string): Found | null | Promise<Found | null>
}

interface Found {
  token: Token | null
  user: User
}

const MAX_CALLERS = 50_000

/** Keeps callers by key; a change to a token or user drops what was kept of it. */
export function createCallerCache(storage: Storage): CallerCache {
  const kept = new Map<string, Found & { token: Token }>()
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
    const token = await storage.tokens.findByKey(key)
    const user = token && (await storage.users.find(token.user_id))
    if (!token || !user) return null
    // Something changed while we read: the answer is good for this call, not for keeping.
    if (before === version) {
      if (kept.size >= MAX_CALLERS) kept.delete(kept.keys().next().value ?? '')
      kept.set(key, { token, user })
    }
    return { token, user }
  }

  return { find: (key) => kept.get(key) ?? read(key) }
}
