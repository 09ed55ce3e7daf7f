// Calls go to healthy channels and keys, and back to the channel that has their prompt in its cache.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAffinity, buildAffinityKey } from '../../../core/channels/affinity.ts'
import type { RoutedChannel } from '../../../core/channels/routed-channel.ts'
import { toRoutedChannel } from '../../../core/channels/channel-index.ts'
import { createCircuitBreakers } from '../../../core/channels/circuit-breaker.ts'
import { createRouter, type SelectedChannel } from '../../../core/channels/router.ts'
import { groupIntoTiers } from '../../../core/channels/routing.ts'
import type { CallFailure } from '../../../core/dialects/answers/call-failure.ts'
import { newChannel } from '../../storage/samples.ts'
import { createFakeClock } from '../../support/clock.ts'
import { createFakeRandom } from '../../support/random.ts'

const zeroes = { response_time: 0, balance: 0, used_quota: 0, balance_updated_time: 0, test_time: 0, version: 1 }
const channel = (id: number, fields: Parameters<typeof newChannel>[0] = {}): RoutedChannel =>
  toRoutedChannel({ ...newChannel({ key: `key-${id}`, ...fields }), ...zeroes, id, slug: '' })
const failure = (status = 500, retry_after_ms?: number): CallFailure => ({
  ...{ status, message: 'no', type: 'error', code: null, param: null, source: 'upstream' },
  ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
})

function open(channels: RoutedChannel[], seed = 1) {
  const clock = createFakeClock()
  const settings = { 'channels.cooldown_failures': 1, 'channels.cooldown_seconds': 30 }
  const cooldowns = createCircuitBreakers(clock, () => settings)
  const affinity = createAffinity(clock)
  const route = createRouter({ clock, random: createFakeRandom(seed), cooldowns, affinity })
  const tiers = groupIntoTiers(channels)
  const begin = (affinityKey?: number, prompt_estimate = 10) =>
    route({ tiers, model: 'm', prompt_estimate, affinityKey })
  return { clock, cooldowns, affinity, begin }
}
const labels = (taken: SelectedChannel | undefined) => taken && `${taken.channel.id} ${taken.channel.key}`

/** Lets every attempt fail until nothing is left. */
function exhaust(route: { next(): SelectedChannel | undefined }, status = 500): string[] {
  const seen: string[] = []
  for (let taken = route.next(); taken; taken = route.next()) {
    seen.push(labels(taken) ?? '')
    taken.failed(failure(status))
  }
  return seen
}

describe('the router', () => {
  test('passes over what is cooling, and takes what reopens first when all is', () => {
    const { clock, begin } = open([channel(1, { priority: 5 }), channel(2), channel(3, { priority: -1 })])
    begin().next()?.failed(failure(429, 60_000))
    expect(labels(begin().next())).toBe('2 key-2')
    const route = begin()
    route.next()?.failed(failure(429, 20_000))
    route.next()?.failed(failure(429, 40_000))
    // All three are cooling now: the one with the shortest wait first.
    expect(exhaust(begin())).toEqual(['2 key-2', '3 key-3', '1 key-1'])
    clock.advance(60_000)
    expect(labels(begin().next())).toBe('1 key-1')
  })

  test('lets one call through a channel that has cooled down; the others go elsewhere until it is known', () => {
    const { clock, begin } = open([channel(1, { priority: 5 }), channel(2)])
    begin().next()?.failed(failure())
    clock.advance(30_000)
    const trying = begin().next()
    expect(trying?.channel.id).toBe(1)
    expect(begin().next()?.channel.id).toBe(2)
    trying?.succeeded(0)
    expect(begin().next()?.channel.id).toBe(1)
  })

  test('never takes the same channel and key twice, and all of them before it gives up', () => {
    const some = fc.record({
      priority: fc.integer({ min: -1, max: 1 }),
      weight: fc.nat(50),
      key_mode: fc.constantFrom('' as const, 'turn' as const, 'random' as const),
    })
    fc.assert(
      fc.property(fc.array(some, { maxLength: 6 }), fc.nat(1000), (list, seed) => {
        const channels = list.map((fields, at) =>
          channel(at + 1, { ...fields, key: fields.key_mode === '' ? `k${at}` : `a${at}\nb${at}\nc${at}` }),
        )
        const { begin } = open(channels, seed)
        const keys = channels.flatMap(({ id, keys: own }) => own.map((key) => `${id} ${key.channel.key}`))
        for (let round = 0; round < 3; round++) {
          const seen = exhaust(begin(), 429)
          expect([...seen].sort()).toEqual([...keys].sort())
        }
      }),
      { seed: 1 },
    )
  })

  test('uses the keys of a channel in turn, and only those that are healthy', () => {
    const [one] = [channel(1, { key: 'a\nb\nc', key_mode: 'turn' })]
    const { clock, begin } = open([one])
    const key = () => {
      const taken = begin().next()
      taken?.succeeded(0)
      return taken?.channel.key
    }
    expect([key(), key(), key(), key()]).toEqual(['a', 'b', 'c', 'a'])
    begin().next()?.failed(failure(429, 10_000))
    expect([key(), key(), key(), key()]).toEqual(['c', 'a', 'c', 'c'])
    clock.advance(10_000)
    expect(new Set([key(), key(), key()])).toEqual(new Set(['a', 'b', 'c']))
  })

  test('goes to another key of the channel when one is refused, and to another channel when the provider is down', () => {
    const several = channel(1, { key: 'a\nb\nc', key_mode: 'random', priority: 9 })
    const refused = open([several, channel(2)])
    expect(exhaust(refused.begin(), 401).map((label) => label.slice(0, 1))).toEqual(['1', '1', '1', '2'])
    const down = open([several, channel(2)])
    expect(exhaust(down.begin(), 502).map((label) => label.slice(0, 1))).toEqual(['1', '2'])
  })

  test('uses no key that is off', () => {
    const { keys } = channel(1, { key: 'a\nb', key_mode: 'turn' })
    const other_info = JSON.stringify({ keys_off: { [keys[0]?.fingerprint ?? '']: { reason: 'x', time: 1 } } })
    const { begin } = open([channel(1, { key: 'a\nb', key_mode: 'turn', other_info })])
    expect(exhaust(begin(), 429)).toEqual(['1 b'])
  })
})

describe('affinity', () => {
  const affinityKey = buildAffinityKey({ model: 'm', group: 'g', user_id: 1, token_id: 1, prefix: 7 })
  const many = Array.from({ length: 20 }, (_, at) => channel(at + 1))

  test('keeps calls of one prefix on one channel and key, and spreads the others', () => {
    const several = many.map(({ id }) => channel(id, { key: `a${id}\nb${id}`, key_mode: 'random' }))
    const { begin } = open(several)
    const first = begin(affinityKey).next()
    first?.succeeded(300_000)
    const seen = Array.from({ length: 30 }, () => {
      const taken = begin(affinityKey).next()
      taken?.succeeded(300_000)
      return labels(taken)
    })
    expect(new Set(seen)).toEqual(new Set([labels(first)]))
    expect(new Set(Array.from({ length: 60 }, () => begin().next()?.channel.id)).size).toBeGreaterThan(5)
  })

  test('lasts as long as the provider keeps the cache, counted from the last use', () => {
    const { clock, affinity, begin } = open(many)
    begin(affinityKey).next()?.succeeded(300_000)
    for (let use = 0; use < 5; use++) {
      clock.advance(299_000)
      const taken = begin(affinityKey).next()
      expect(taken?.affinity).toBe(true)
      taken?.succeeded(300_000)
    }
    clock.advance(300_000)
    expect(affinity.find(affinityKey ?? 0)).toBeUndefined()
    expect(begin(affinityKey).next()?.affinity).toBe(false)
  })

  test('never traps a caller: a cooling, gone or failing channel is left', () => {
    const { begin } = open(many)
    const bound = begin(affinityKey).next()
    bound?.succeeded(300_000)
    const route = begin(affinityKey)
    const again = route.next()
    expect(again?.channel.id).toBe(bound?.channel.id)
    again?.failed(failure())
    const next = route.next()
    expect(next?.channel.id).not.toBe(bound?.channel.id)
    expect(next?.affinity).toBe(false)
    // What served in its place is where the cache is now.
    next?.succeeded(300_000)
    expect(begin(affinityKey).next()?.channel.id).toBe(next?.channel.id)
    const gone = createRouterWithout(many, begin)
    expect(gone).toBe(true)
  })

  function createRouterWithout(
    channels: RoutedChannel[],
    begin: (affinityKey?: number) => { next(): SelectedChannel | undefined },
  ) {
    const bound = begin(affinityKey).next()?.channel.id
    const { affinity, begin: other } = open(channels.filter(({ id }) => id !== bound))
    affinity.bind(affinityKey ?? 0, { channel: bound ?? 0, key: '' }, 300_000)
    return other(affinityKey).next()?.channel.id !== bound
  }

  test('ties by session where one is named, else by prefix, and tells models, groups and people apart', () => {
    const base = { model: 'm', group: 'g', user_id: 1, token_id: 1 }
    expect(buildAffinityKey(base)).toBeUndefined()
    const names = [
      buildAffinityKey({ ...base, prefix: 1 }),
      buildAffinityKey({ ...base, prefix: 2 }),
      buildAffinityKey({ ...base, prefix: 1, model: 'n' }),
      buildAffinityKey({ ...base, prefix: 1, group: 'h' }),
      buildAffinityKey({ ...base, prefix: 1, token_id: 2 }),
      buildAffinityKey({ ...base, prefix: 1, session: 's' }),
      buildAffinityKey({ ...base, session: 's', user_id: 2 }),
    ]
    expect(new Set(names).size).toBe(names.length)
    expect(buildAffinityKey({ ...base, prefix: 1, session: 's' })).toBe(
      buildAffinityKey({ ...base, prefix: 2, session: 's', token_id: 5 }),
    )
  })

  test('is bounded', () => {
    const { affinity } = open(many)
    for (let name = 0; name < 60_000; name++) affinity.bind(name, { channel: 1, key: '' }, 1000)
    expect(affinity.count(1)).toBe(50_000)
    expect(affinity.find(0)).toBeUndefined()
    expect(affinity.find(59_999)).toBeDefined()
  })
})
