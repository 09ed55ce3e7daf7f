// Where a call goes next: affinity first, then tier by tier what is healthy, and at last what heals first.
import type { CallFailure } from '../dialects/dialect.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Affinity, Binding } from './affinity.ts'
import type { ChannelTiers, RoutedChannel } from './channel-index.ts'
import type { Cooldowns } from './cooldown.ts'
import { createKeyTurns, type ChannelKey } from './keys.ts'
import { pick, takes } from './routing.ts'

type Key = ChannelKey<RoutedChannel>

/** A call as far as the choice depends on it. */
export interface Wanted {
  tiers: ChannelTiers
  model: string
  prompt_estimate: number
  /** The name of what ties it to earlier calls. */
  tie?: number
}

/** A channel and key that a call may try now. Exactly one of the three outcomes is told. */
export interface Taken {
  /** With the one key to be used. */
  channel: RoutedChannel
  key: Key
  /** It was chosen because an earlier call of this tie was served there. */
  affinity: boolean
  /** `lifetimeMs`: how long the provider keeps the prompt's beginning. */
  succeeded(lifetimeMs: number): void
  failed(failure: CallFailure): void
  /** Nothing was learned about the channel: the caller hung up. */
  abandoned(): void
}

export interface Route {
  /** Never the same channel and key twice; undefined when nothing is left. */
  next(): Taken | undefined
}

export type Router = (wanted: Wanted) => Route

interface Ports {
  clock: Clock
  random: Random
  cooldowns: Cooldowns
  affinity: Affinity
}

/** Statuses that are about the key: another key of the same channel may do better. */
const KEY_STATUSES = new Set([401, 402, 403, 429])

export function createRouter({ clock, random, cooldowns, affinity }: Ports): Router {
  const turns = createKeyTurns(() => random.number())
  const draw = () => random.number()

  return function route({ tiers, model, prompt_estimate, tie }) {
    /** Channels that this call has done with, and single keys of others. */
    const done: number[] = []
    const doneKeys: Key[] = []
    const circuitOf = (channel: number, key: Key) => ({ channel, key: key.fingerprint, model })
    const open = (channel: RoutedChannel) => !done.includes(channel.id) && takes(channel, prompt_estimate)
    const untried = (key: Key) => key.on && !doneKeys.includes(key)
    const reopens = (key: Key) => cooldowns.reopensAt(circuitOf(key.channel.id, key))
    const ready = (key: Key) => untried(key) && reopens(key) === 0
    const suits = (channel: RoutedChannel) => open(channel) && channel.keys.some(ready)

    function bound(binding: Binding | undefined): Key | undefined {
      if (!binding) return undefined
      for (const { channels } of tiers) {
        const channel = channels.find(({ id }) => id === binding.channel)
        if (channel)
          return open(channel) ? channel.keys.find((key) => key.fingerprint === binding.key && ready(key)) : undefined
      }
      return undefined
    }
    function healthy(): Key | undefined {
      for (const tier of tiers) {
        const channel = pick(tier, suits, draw)
        if (channel) return turns.choose(channel, ready)
      }
      return undefined
    }
    /** Everything left is cooling: better the one that reopens first than a refusal. */
    function firstToReopen(): Key | undefined {
      const cooling = tiers.flatMap(({ channels }) => channels.filter(open).flatMap(({ keys }) => keys.filter(untried)))
      return cooling.reduce<Key | undefined>(
        (best, key) => (best && reopens(best) <= reopens(key) ? best : key),
        undefined,
      )
    }
    function take(key: Key, byAffinity: boolean): Taken {
      const { channel } = key
      const circuit = circuitOf(channel.id, key)
      const began = clock.now()
      cooldowns.begin(circuit)
      const several = channel.key_mode !== ''
      if (several) doneKeys.push(key)
      else done.push(channel.id)
      return {
        channel,
        key,
        affinity: byAffinity,
        succeeded(lifetimeMs) {
          cooldowns.succeeded(circuit, began)
          if (tie !== undefined) affinity.bind(tie, { channel: channel.id, key: key.fingerprint }, lifetimeMs)
        },
        failed(failure) {
          cooldowns.failed(circuit, failure)
          if (several && !KEY_STATUSES.has(failure.status)) done.push(channel.id)
        },
        abandoned: () => cooldowns.abandoned(circuit),
      }
    }
    return {
      next() {
        const first = tie === undefined || done.length + doneKeys.length > 0 ? undefined : bound(affinity.find(tie))
        if (first) return take(first, true)
        const key = healthy() ?? firstToReopen()
        return key && take(key, false)
      },
    }
  }
}
