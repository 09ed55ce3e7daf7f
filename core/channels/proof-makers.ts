// Which account made a proof of thought: channel and key. Other accounts of the same provider refuse many of them.
import { proofText, parseAccountTag, TAG_LENGTH } from '../dialects/proof.ts'
import { textHash } from '../dialects/text-hash.ts'
import type { Clock } from '../ports/clock.ts'
import { createAffinity, type AffinityTarget } from './affinity.ts'
import type { KeyedChannel } from './channel.ts'
import type { ChannelTiers } from './channel-index.ts'
import { getKeyFingerprint, hasMultipleKeys } from './keys.ts'

export interface SignatureOwners {
  /** What stands in a proof that is written anew: it tells its maker to every process, also after a restart. */
  tagOf(channel: KeyedChannel): string
  /** A proof that passes as it came was made there just now: this process remembers it. */
  note(proof: string, channel: KeyedChannel): void
  /** Who made it; undefined where nobody knows, `away` where it is none of these channels. */
  find(proof: string, tiers: ChannelTiers): AffinityTarget | 'away' | undefined
}

/** How long a maker is remembered, in ms: agents stop for a night. */
const REMEMBERED_MS = 24 * 3_600_000
/** Proofs begin alike; so much of the end tells them apart. Characters. */
const TOLD_APART = 128

const nameOf = (proof: string): number => textHash('proof', String(proof.length), proof.slice(-TOLD_APART))

const tag = (channel: number, key: string): string =>
  textHash('account', String(channel), key).toString(36).padStart(TAG_LENGTH, '0').slice(-TAG_LENGTH)

/** `channel` is one with the single key that is used. */
const keyOf = (channel: KeyedChannel): string => (hasMultipleKeys(channel) ? getKeyFingerprint(channel.key) : '')

export function createProofMakers(clock: Clock): SignatureOwners {
  const memory = createAffinity(clock)
  return {
    tagOf: (channel) => tag(channel.id, keyOf(channel)),
    note(proof, channel) {
      memory.bind(nameOf(proofText(proof)), { channel: channel.id, key: keyOf(channel) }, REMEMBERED_MS)
    },
    find(proof, tiers) {
      const told = parseAccountTag(proof)
      const known = memory.find(nameOf(proofText(proof)))
      if (told === undefined && !known) return undefined
      for (const { channels } of tiers)
        for (const { id, keys } of channels)
          for (const { fingerprint: key } of keys)
            if (told === undefined ? id === known?.channel && key === known.key : tag(id, key) === told)
              return { channel: id, key }
      return 'away'
    },
  }
}
