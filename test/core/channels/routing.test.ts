// The choice of the first channel of a call, and of the next ones.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAffinity } from '../../../core/channels/affinity.ts'
import type { RoutedChannel } from '../../../core/channels/routed-channel.ts'
import { toRoutedChannel } from '../../../core/channels/channel-index.ts'
import { createCircuitBreakers } from '../../../core/channels/circuit-breaker.ts'
import { createRouter } from '../../../core/channels/router.ts'
import { groupIntoTiers } from '../../../core/channels/routing.ts'
import { newChannel } from '../../storage/samples.ts'
import { createFakeClock } from '../../support/clock.ts'
import { createFakeRandom } from '../../support/random.ts'

const zeroes = { response_time: 0, balance: 0, used_quota: 0, balance_updated_time: 0, test_time: 0, version: 1 }
const channel = (id: number, priority = 0, weight = 0, max_input_tokens = 0): RoutedChannel =>
  toRoutedChannel({ ...newChannel({ key: `key-${id}`, priority, weight, max_input_tokens }), ...zeroes, id, slug: '' })
const failure = { status: 500, message: 'no', type: 'error', code: null, param: null, source: 'upstream' } as const

/** The router of the gateway, with chances that are known. */
function routerOf(channels: RoutedChannel[], chance: () => number) {
  const clock = createFakeClock()
  const settings = { 'channels.cooldown_failures': 1, 'channels.cooldown_seconds': 30 }
  const random = { ...createFakeRandom(1), number: chance }
  const cooldowns = createCircuitBreakers(clock, () => settings)
  const route = createRouter({ clock, random, cooldowns, affinity: createAffinity(clock) })
  const tiers = groupIntoTiers(channels)
  return (prompt_estimate = 1) => route({ tiers, model: 'm', prompt_estimate })
}

/** Every channel in the order in which a failing call tries them. */
function order(channels: RoutedChannel[], chance: () => number, prompt = 1) {
  const route = routerOf(channels, chance)(prompt)
  const ids: number[] = []
  for (let taken = route.next(); taken; taken = route.next()) {
    ids.push(taken.channel.id)
    taken.failed(failure)
  }
  return ids
}

describe('routing', () => {
  const list = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: -3, max: 3 }), fc.nat(100)), {
      selector: ([id]) => id,
      maxLength: 12,
    })
    .map((all) => all.map(([id, priority, weight]) => channel(id, priority, weight)))

  test('tries every channel once, and a tier only when all higher ones are used up', () => {
    fc.assert(
      fc.property(list, fc.integer(), (candidates, seed) => {
        const ids = order(candidates, createFakeRandom(seed).number)
        expect([...ids].sort()).toEqual(candidates.map(({ id }) => id).sort())
        const priorities = ids.map((id) => candidates.find((each) => each.id === id)?.priority ?? 0)
        expect(priorities).toEqual([...priorities].sort((a, b) => b - a))
      }),
      { seed: 1 },
    )
  })

  test('finds one of the best tier for every chance below 1', () => {
    const candidates = [channel(1, 0, 0), channel(2, 0, 80), channel(3, -1, 500)]
    const chosen = (chance: number) => routerOf(candidates, () => chance)().next()?.channel.id
    expect(chosen(0)).toBe(1)
    expect(chosen(0.0999)).toBe(1)
    expect(chosen(0.1)).toBe(2)
    expect(chosen(1 - Number.EPSILON / 2)).toBe(2)
  })

  test('shares calls by weight plus ten', () => {
    const candidates = [channel(1, 0, 0), channel(2, 0, 10), channel(3, 0, 30), channel(4, 0, 90)]
    const begin = routerOf(candidates, createFakeRandom(42).number)
    const rounds = 20_000
    const counts = new Map<number, number>()
    for (let round = 0; round < rounds; round += 1) {
      const taken = begin().next()
      taken?.abandoned()
      const id = taken?.channel.id ?? 0
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    const total = candidates.reduce((sum, { weight }) => sum + weight + 10, 0)
    const distance = candidates
      .map(({ id, weight }) => ({ seen: counts.get(id) ?? 0, due: (rounds * (weight + 10)) / total }))
      .reduce((sum, { seen, due }) => sum + (seen - due) ** 2 / due, 0)
    // 99.9% of fair samples with three degrees of freedom are below.
    expect(distance).toBeLessThan(16.3)
  })

  test('passes channels by that take only shorter prompts', () => {
    const candidates = [channel(1, 5, 0, 100), channel(2, 0, 0, 0), channel(3, 9, 0, 99)]
    expect(order(candidates, () => 0.5, 100)).toEqual([1, 2])
    expect(order(candidates, () => 0.5, 99)).toEqual([3, 1, 2])
    expect(order(candidates, () => 0.5, 101)).toEqual([2])
    expect(order([channel(1, 0, 0, 10)], () => 0.5, 11)).toEqual([])
  })
})
