// Sticky routing: remembers which channel and key have a prompt in the provider's cache, so that later calls go there
// again.
import { parseAccountTag, stripAccountTag, ACCOUNT_TAG_LENGTH } from '../dialects/reasoning/reasoning-signature.ts'
import { hashTexts } from '../dialects/json/text-hash.ts'
import type { Clock } from '../ports/clock.ts'
import type { ChannelTiers } from './channel-index.ts'
import type { ChannelWithKey } from './channel.ts'
import { getKeyFingerprint, hasMultipleKeys } from './keys.ts'

export interface AffinityTarget {
  channel: number
  /** The key's fingerprint. */
  key: string
}

export interface ChannelAffinity {
  /** Returns the channel that last served a call with the same prompt prefix, as long as the provider caches it. */
  find(name: number): AffinityTarget | undefined
  /** Records a call. The provider caches its prompt for this many ms after the last use. */
  bind(name: number, binding: AffinityTarget, lifetimeMs: number): void
  /** Live bindings of a channel. */
  count(channel: number): number
}

/** Maximum number of bindings. Beyond it the least recently used one is dropped. */
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
  if (session) return hashTexts('session', model, group, String(user_id), session)
  return prefix === undefined ? undefined : hashTexts('prefix', model, group, String(token_id), String(prefix))
}

/** Memory of one process: bounded, and safe to lose. */
export function createAffinity(clock: Clock): ChannelAffinity {
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

// Finds the account (channel and key) that created a reasoning signature. Other accounts of the same provider refuse
// many of them.

export interface SignatureOwnerMemory {
  /** Returns the tag in a rewritten signature. It identifies the account to every process, also after a restart. */
  tagOf(channel: ChannelWithKey): string
  /** Records the account of a signature that was passed through. Only this process remembers it. */
  note(proof: string, channel: ChannelWithKey): void
  /** Returns the account of a signature; undefined if it is unknown, `away` if it is none of these channels. */
  find(proof: string, tiers: ChannelTiers): AffinityTarget | 'away' | undefined
}

/** How long a maker is remembered, in ms: agents stop for a night. */
const REMEMBERED_MS = 24 * 3_600_000
/** Characters at the end of a signature that distinguish signatures, since they begin alike. */
const TOLD_APART = 128

const hashSignature = (proof: string): number => hashTexts('proof', String(proof.length), proof.slice(-TOLD_APART))

const tag = (channel: number, key: string): string =>
  hashTexts('account', String(channel), key).toString(36).padStart(ACCOUNT_TAG_LENGTH, '0').slice(-ACCOUNT_TAG_LENGTH)

/** `channel` carries only the key in use. */
const getFingerprint = (channel: ChannelWithKey): string =>
  hasMultipleKeys(channel) ? getKeyFingerprint(channel.key) : ''

export function createProofMakers(clock: Clock): SignatureOwnerMemory {
  const memory = createAffinity(clock)
  return {
    tagOf: (channel) => tag(channel.id, getFingerprint(channel)),
    note(proof, channel) {
      memory.bind(
        hashSignature(stripAccountTag(proof)),
        { channel: channel.id, key: getFingerprint(channel) },
        REMEMBERED_MS,
      )
    },
    find(proof, tiers) {
      const accountTag = parseAccountTag(proof)
      const known = memory.find(hashSignature(stripAccountTag(proof)))
      if (accountTag === undefined && !known) return undefined
      for (const { channels } of tiers)
        for (const { id, keys } of channels)
          for (const { fingerprint: key } of keys)
            if (accountTag === undefined ? id === known?.channel && key === known.key : tag(id, key) === accountTag)
              return { channel: id, key }
      return 'away'
    },
  }
}
