// Several keys in one channel: each is used, fails, is switched off and comes back alone.
import { hashTexts } from '../dialects/json/text-hash.ts'
import { parseJsonObjectText, type ChannelWithKey } from './channel.ts'

/** One key of a channel, as calls use it. `C` is the channel with nothing but this key. */
export interface ChannelKey<C> {
  /** A hash of the key text that does not reveal it; empty for the only key of a channel. */
  fingerprint: string
  /** Its place among the channel's keys, from 0. */
  index: number
  /** false after the provider refused it, until a user or a passing test enables it, or after a user disabled it. */
  on: boolean
  channel: C
}

/** Disabled keys: fingerprint to reason and time (epoch seconds). No test enables a key that a user disabled. */
export type DisabledKeys = Record<string, { reason: string; time: number; by_hand?: true }>

export const hasMultipleKeys = (channel: Pick<ChannelWithKey, 'key_mode'>): boolean => channel.key_mode !== ''

/** Returns the keys of a channel: one per line if it has several, else the whole text. */
export function listKeyTexts(channel: Pick<ChannelWithKey, 'key' | 'key_mode'>): string[] {
  if (!hasMultipleKeys(channel)) return [channel.key]
  const lines = channel.key.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

export const getKeyFingerprint = (key: string): string => hashTexts(key).toString(36)

/** Parses the disabled keys from a channel's `other_info`. */
export function parseDisabledKeys(otherInfo: string): DisabledKeys {
  const { keys_off } = parseJsonObjectText(otherInfo)
  if (typeof keys_off !== 'object' || keys_off === null || Array.isArray(keys_off)) return {}
  return Object.fromEntries(
    Object.entries(keys_off as Record<string, Partial<DisabledKeys[string]>>).map(([fingerprint, off]) => [
      fingerprint,
      {
        reason: String(off.reason ?? ''),
        time: Number(off.time ?? 0),
        ...(off.by_hand === true ? { by_hand: true } : {}),
      },
    ]),
  )
}

/** Returns `other_info` with these keys disabled and everything else unchanged. */
export function setDisabledKeys(otherInfo: string, off: DisabledKeys): string {
  const { keys_off: _known, ...rest } = parseJsonObjectText(otherInfo)
  const info = Object.keys(off).length === 0 ? rest : { ...rest, keys_off: off }
  return Object.keys(info).length === 0 ? '' : JSON.stringify(info)
}

/**
 * Returns `other_info` after enabling the channel: keys that a user disabled stay disabled, unless there are no others.
 */
export function reenableChannelKeys(channel: Pick<ChannelWithKey, 'key' | 'key_mode' | 'other_info'>): string {
  const byHand = Object.entries(parseDisabledKeys(channel.other_info)).filter(([, { by_hand }]) => by_hand)
  const off: DisabledKeys = Object.fromEntries(byHand)
  return listKeyTexts(channel).some((key) => !Object.hasOwn(off, getKeyFingerprint(key)))
    ? setDisabledKeys('', off)
    : ''
}

/** The keys of a channel with their health. `variant` makes the channel that has only the given key. */
export function buildChannelKeys<C>(channel: ChannelWithKey, variant: (key: string) => C): ChannelKey<C>[] {
  if (!hasMultipleKeys(channel)) return [{ fingerprint: '', index: 0, on: true, channel: variant(channel.key) }]
  const off = parseDisabledKeys(channel.other_info)
  return listKeyTexts(channel).map((key, index) => {
    const fingerprint = getKeyFingerprint(key)
    return { fingerprint, index, on: !Object.hasOwn(off, fingerprint), channel: variant(key) }
  })
}

const SHORTEST_TOLD = 16

/** Masks a key. Three characters of either end tell keys apart without revealing them. */
export const maskChannelKey = (key: string): string =>
  key === '' ? '' : key.length < SHORTEST_TOLD ? '***' : `${key.slice(0, 3)}***${key.slice(-3)}`

export interface KeyRotation {
  /** A key that suits: at random, or each in its turn; undefined when none does. */
  choose<C extends { id: number; key_mode: string }>(
    channel: C & { keys: readonly ChannelKey<C>[] },
    suits: (key: ChannelKey<C>) => boolean,
  ): ChannelKey<C> | undefined
}

/** Maximum number of channels whose rotation is remembered. Beyond it the oldest start again. */
const MAX_TURNS = 10_000

/** Creates the key rotation of all channels, in the memory of one process. */
export function createKeyTurns(draw: () => number): KeyRotation {
  const turns = new Map<number, number>()

  function getNextTurn(id: number, count: number): number {
    const turn = (turns.get(id) ?? 0) % count
    turns.set(id, turn + 1)
    if (turns.size > MAX_TURNS) turns.delete(turns.keys().next().value ?? id)
    return turn
  }

  return {
    choose(channel, suits) {
      const { keys } = channel
      const only = keys[0]
      if (keys.length === 1) return only && suits(only) ? only : undefined
      const usable = keys.filter(suits)
      if (usable.length === 0) return undefined
      if (channel.key_mode === 'random') return usable[Math.floor(draw() * usable.length)]
      // Returns the first suitable key at or after the current place among all keys. Unavailable keys keep their places.
      const from = getNextTurn(channel.id, keys.length)
      return usable.find(({ index }) => index >= from) ?? usable[0]
    },
  }
}
