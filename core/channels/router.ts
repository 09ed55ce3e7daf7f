// Failover: chooses the channel of the next attempt. Affinity first, then the healthy channels tier by tier, and at
// last the one whose cooldown ends first.
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import { isSignatureRefused } from '../dialects/reasoning/reasoning-signature.ts'
import type { CircuitBreakers, CircuitKey } from './circuit-breaker.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { ChannelAffinity, AffinityTarget } from './affinity.ts'
import type { RoutedChannel } from './routed-channel.ts'
import type { ChannelTiers } from './channel-index.ts'
import { createKeyTurns, type ChannelKey, type KeyRotation } from './keys.ts'
import { pickWeighted, acceptsPromptSize } from './routing.ts'

type RoutedKey = ChannelKey<RoutedChannel>

/** A call as far as the choice depends on it. */
export interface RouteRequest {
  tiers: ChannelTiers
  model: string
  prompt_estimate: number
  /** Names what it has in common with earlier calls (`affinity.ts`). */
  affinityKey?: number
  /** The account that alone takes back what was thought in an earlier answer. */
  account?: AffinityTarget
}

/** A channel and key for the next attempt. The caller reports exactly one of the four outcomes. */
export interface SelectedChannel {
  /** With the key to use. */
  channel: RoutedChannel
  key: RoutedKey
  /** True if it was chosen because it served an earlier call with the same affinity key. */
  affinity: boolean
  /** `lifetimeMs`: how long the provider caches the prompt. */
  succeeded(lifetimeMs: number): void
  failed(failure: CallFailure): void
  /** Nothing was learned about the channel: the caller hung up. */
  abandoned(): void
  /** Reports that the channel's format cannot express the request, with any key. */
  unsuited(): void
}

export interface ChannelRoute {
  /** Returns the next channel and key, none of them twice; undefined if none is left. */
  next(): SelectedChannel | undefined
  /** Returns the ms until the first channel's cooldown ends; undefined if one is available now. */
  wait(): number | undefined
}

export type ChannelRouter = (request: RouteRequest) => ChannelRoute

interface ChannelRouterPorts {
  clock: Clock
  random: Random
  cooldowns: CircuitBreakers
  affinity: ChannelAffinity
}

/** Statuses that are about the key: another key of the same channel may do better. */
const KEY_STATUSES = new Set([401, 402, 403, 429])

export function createRouter({ clock, random, cooldowns, affinity }: ChannelRouterPorts): ChannelRouter {
  const draw = () => random.number()
  const shared: Shared = { clock, cooldowns, affinity, draw, turns: createKeyTurns(draw) }
  return (request) => new CallRoute(shared, request)
}

interface Shared extends Omit<ChannelRouterPorts, 'random'> {
  draw(): number
  turns: KeyRotation
}

/** The way of one call. A class, because there is one for each. */
class CallRoute implements ChannelRoute {
  private readonly shared: Shared
  private readonly request: RouteRequest
  /** Channels that this call must not try again, and single keys of other channels. */
  private readonly done: number[] = []
  private readonly doneKeys: RoutedKey[] = []

  constructor(shared: Shared, request: RouteRequest) {
    this.shared = shared
    this.request = request
  }

  next(): SelectedChannel | undefined {
    const { affinityKey, account } = this.request
    const isFirst = this.done.length + this.doneKeys.length === 0
    const maker = isFirst ? this.bound(account) : undefined
    if (maker) return this.take(maker, false)
    const first = isFirst && affinityKey !== undefined ? this.bound(this.shared.affinity.find(affinityKey)) : undefined
    if (first) return this.take(first, true)
    const key = this.healthy() ?? this.firstToReopen()
    return key && this.take(key, false)
  }

  wait(): number | undefined {
    const { tiers, prompt_estimate } = this.request
    const keys = tiers
      .flatMap(({ channels }) => channels.filter((channel) => acceptsPromptSize(channel, prompt_estimate)))
      .flatMap((channel) => channel.keys.filter(({ on }) => on))
    const first = keys.reduce((soonest, key) => Math.min(soonest, this.reopens(key)), Infinity)
    return first === 0 || first === Infinity ? undefined : Math.max(0, first - this.shared.clock.now())
  }

  /** Ends the call's attempts on a channel, or only with this key. */
  leave({ channel }: RoutedKey, failure: CallFailure): void {
    if (channel.key_mode === '' || KEY_STATUSES.has(failure.status) || isSignatureRefused(failure)) return
    this.done.push(channel.id)
  }

  /** Skips a channel without having sent a request. */
  skip({ channel }: RoutedKey): void {
    this.done.push(channel.id)
  }

  private take(key: RoutedKey, byAffinity: boolean): SelectedChannel {
    const { channel } = key
    if (channel.key_mode === '') this.done.push(channel.id)
    else this.doneKeys.push(key)
    return new TakenKey(this, key, byAffinity, this.shared, this.request)
  }

  private bound(binding: AffinityTarget | undefined): RoutedKey | undefined {
    if (!binding) return undefined
    for (const { channels } of this.request.tiers) {
      const channel = channels.find(({ id }) => id === binding.channel)
      if (!channel) continue
      if (!this.open(channel)) return undefined
      return channel.keys.find((key) => key.fingerprint === binding.key && this.ready(key))
    }
    return undefined
  }

  private healthy(): RoutedKey | undefined {
    const ready = (key: RoutedKey) => this.ready(key)
    const suits = (channel: RoutedChannel) => this.open(channel) && channel.keys.some(ready)
    for (const tier of this.request.tiers) {
      const channel = pickWeighted(tier, suits, this.shared.draw)
      if (channel) return this.shared.turns.choose(channel, ready)
    }
    return undefined
  }

  /** Returns the key whose cooldown ends first, for calls that would otherwise be refused because all keys are in cooldown. */
  private firstToReopen(): RoutedKey | undefined {
    const cooling = this.request.tiers.flatMap(({ channels }) =>
      channels.filter((channel) => this.open(channel)).flatMap(({ keys }) => keys.filter((key) => this.untried(key))),
    )
    return cooling.reduce<RoutedKey | undefined>(
      (best, key) => (best && this.reopens(best) <= this.reopens(key) ? best : key),
      undefined,
    )
  }

  private open(channel: RoutedChannel): boolean {
    return !this.done.includes(channel.id) && acceptsPromptSize(channel, this.request.prompt_estimate)
  }

  private untried(key: RoutedKey): boolean {
    return key.on && !this.doneKeys.includes(key)
  }

  private ready(key: RoutedKey): boolean {
    return this.untried(key) && this.reopens(key) === 0
  }

  private reopens(key: RoutedKey): number {
    return this.shared.cooldowns.reopensAt(buildCircuitKey(key, this.request.model))
  }
}

class TakenKey implements SelectedChannel {
  readonly channel: RoutedChannel
  readonly key: RoutedKey
  readonly affinity: boolean
  private readonly route: CallRoute
  private readonly shared: Shared
  private readonly affinityKey: number | undefined
  private readonly circuit: CircuitKey
  /** Epoch ms. */
  private readonly began: number

  constructor(
    route: CallRoute,
    key: RoutedKey,
    byAffinity: boolean,
    shared: Shared,
    { affinityKey, model }: RouteRequest,
  ) {
    this.channel = key.channel
    this.key = key
    this.affinity = byAffinity
    this.route = route
    this.shared = shared
    this.affinityKey = affinityKey
    this.circuit = buildCircuitKey(key, model)
    this.began = shared.clock.now()
    shared.cooldowns.begin(this.circuit)
  }

  succeeded(lifetimeMs: number): void {
    const { channel, key, affinityKey, shared } = this
    shared.cooldowns.succeeded(this.circuit, this.began)
    if (affinityKey !== undefined)
      shared.affinity.bind(affinityKey, { channel: channel.id, key: key.fingerprint }, lifetimeMs)
  }

  failed(failure: CallFailure): void {
    this.shared.cooldowns.failed(this.circuit, failure)
    this.route.leave(this.key, failure)
  }

  abandoned(): void {
    this.shared.cooldowns.abandoned(this.circuit)
  }

  unsuited(): void {
    this.abandoned()
    this.route.skip(this.key)
  }
}

const buildCircuitKey = ({ channel, fingerprint }: RoutedKey, model: string): CircuitKey => ({
  channel: channel.id,
  key: fingerprint,
  model,
})
