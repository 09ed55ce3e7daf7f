// Sticky routing: which channel and key have a prompt's beginning in the provider's cache, for later calls go there again.
import { textHash } from '../dialects/text-hash.ts'
import type { Clock } from '../ports/clock.ts'

export interface AffinityTarget {
  channel: number
  /** The key's fingerprint. */
  key: string
}

export interface Affinity {
  /** Returns the channel that served a call's beginning last, as long as the provider caches it. */
  find(name: number): AffinityTarget | undefined
  /** Records a call served by a provider that caches its beginning for this many ms after the last use. */
  bind(name: number, binding: AffinityTarget, lifetimeMs: number): void
  /** Live bindings of a channel. */
  count(channel: number): number
}

/** Bindings that are kept; beyond it the one unused for longest is forgotten. */
const MAX_BINDINGS = 50_000

/** The values that calls may share: a session that the client names, else the beginning of the prompt. */
export interface AffinityOf {
  model: string
  group: string
  user_id: number
  token_id: number
  /** Named by the caller. */
  session?: string
  /** Hash of the prompt's first characters. */
  prefix?: number
}

/** Names what the call has in common with others; undefined when that is nothing. Costs well below a microsecond. */
export function buildAffinityKey({ model, group, user_id, token_id, session, prefix }: AffinityOf): number | undefined {
  if (session) return textHash('session', model, group, String(user_id), session)
  return prefix === undefined ? undefined : textHash('prefix', model, group, String(token_id), String(prefix))
}

/** Memory of one process: bounded, and safe to lose. */
export function createAffinity(clock: Clock): Affinity {
  const bindings = new Map<number, AffinityTarget & { until: number }>()
  return {
    find(name) {
      const binding = bindings.get(name)
      if (!binding) return undefined
      if (binding.until > clock.now()) return binding
      bindings.delete(name)
      return undefined
    },
    bind(name, { channel, key }, lifetimeMs) {
      // Put behind all others: the first in the map is the one unused for longest.
      bindings.delete(name)
      if (lifetimeMs > 0) bindings.set(name, { channel, key, until: clock.now() + lifetimeMs })
      if (bindings.size > MAX_BINDINGS) bindings.delete(bindings.keys().next().value ?? name)
    },
    count(channel) {
      const now = clock.now()
      let count = 0
      for (const binding of bindings.values()) if (binding.channel === channel && binding.until > now) count++
      return count
    },
  }
}
