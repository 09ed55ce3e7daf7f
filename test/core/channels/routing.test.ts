// Which channel a call goes to, and to which one next.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { choose } from '../../../core/channels/routing.ts'
import { createFakeRandom } from '../../support/random.ts'

const channel = (id: number, priority = 0, weight = 0, max_input_tokens = 0) => ({
  id,
  priority,
  weight,
  max_input_tokens,
})

/** Every channel in the order in which a failing call tries them. */
function order(candidates: ReturnType<typeof channel>[], chances: () => number, prompt = 1) {
  const tried = new Set<number>()
  const ids: number[] = []
  for (;;) {
    const next = choose(candidates, tried, prompt, chances())
    if (!next) return ids
    expect(tried.has(next.id)).toBe(false)
    tried.add(next.id)
    ids.push(next.id)
  }
}

describe('routing', () => {
  const list = fc.uniqueArray(
    fc.record({
      id: fc.nat(50),
      priority: fc.integer({ min: -3, max: 3 }),
      weight: fc.nat(100),
      max_input_tokens: fc.constant(0),
    }),
    { selector: ({ id }) => id, maxLength: 12 },
  )

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
    const chosen = (chance: number) => choose(candidates, new Set(), 1, chance)?.id
    expect(chosen(0)).toBe(1)
    expect(chosen(0.0999)).toBe(1)
    expect(chosen(0.1)).toBe(2)
    expect(chosen(1 - Number.EPSILON / 2)).toBe(2)
  })

  test('shares calls by weight plus ten', () => {
    const candidates = [channel(1, 0, 0), channel(2, 0, 10), channel(3, 0, 30), channel(4, 0, 90)]
    const { number } = createFakeRandom(42)
    const rounds = 20_000
    const counts = new Map<number, number>()
    for (let round = 0; round < rounds; round += 1) {
      const id = choose(candidates, new Set(), 1, number())?.id ?? 0
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
