// Finds the account (channel and key) that created a reasoning signature. Other accounts of the same provider refuse
// many of them.
import { stripMark, parseAccountTag, TAG_LENGTH } from '../dialects/proof.ts'
import { textHash } from '../dialects/text-hash.ts'
import type { Clock } from '../ports/clock.ts'
import { createAffinity, type AffinityTarget } from './affinity.ts'
import type { KeyedChannel } from './channel.ts'
import type { ChannelTiers } from './channel-index.ts'
import { getKeyFingerprint, hasMultipleKeys } from './keys.ts'

export interface SignatureOwners {
  /** Returns the tag in a rewritten signature. It identifies the account to every process, also after a restart. */
  tagOf(channel: KeyedChannel): string
  /** Records the account of a signature that was passed through. Only this process remembers it. */
  note(proof: string, channel: KeyedChannel): void
  /** Returns the account of a signature; undefined if it is unknown, `away` if it is none of these channels. */
  find(proof: string, tiers: ChannelTiers): AffinityTarget | 'away' | undefined
}

/** How long a maker is remembered, in ms: agents stop for a night. */
const REMEMBERED_MS = 24 * 3_600_000
/** Characters at the end of a signature that tell signatures apart, since they begin alike. */
const TOLD_APART = 128

const hashSignature = (proof: string): number => textHash('proof', String(proof.length), proof.slice(-TOLD_APART))

const tag = (channel: number, key: string): string =>
  textHash('account', String(channel), key).toString(36).padStart(TAG_LENGTH, '0').slice(-TAG_LENGTH)

/** `channel` is one with the single key that is used. */
const getFingerprint = (channel: KeyedChannel): string =>
  hasMultipleKeys(channel) ? getKeyFingerprint(channel.key) : ''

export function createProofMakers(clock: Clock): SignatureOwners {
  const memory = createAffinity(clock)
  return {
    tagOf: (channel) => tag(channel.id, getFingerprint(channel)),
    note(proof, channel) {
      memory.bind(hashSignature(stripMark(proof)), { channel: channel.id, key: getFingerprint(channel) }, REMEMBERED_MS)
    },
    find(proof, tiers) {
      const accountTag = parseAccountTag(proof)
      const known = memory.find(hashSignature(stripMark(proof)))
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
