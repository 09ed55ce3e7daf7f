// Price tiers: which apply to a call, and what they make of it.
import { describe, expect, test } from 'vitest'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import { charge } from '../../../core/pricing/charge.ts'
import { estimateCost } from '../../../core/pricing/estimate.ts'
import { findPrice } from '../../../core/pricing/price-book.ts'
import type { Price } from '../../../core/pricing/price.ts'
import { findPriceTiers } from '../../../core/pricing/model-tiers.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'
import { PriceTiers } from '../../../core/settings/price-tiers.ts'

const UNIT = 500_000
const settings = defaultSettings()
const used = (more: Partial<Usage>): Usage => ({
  input: 0,
  cache_read: 0,
  cache_write: 0,
  cache_write_1h: 0,
  output: 0,
  reasoning: 0,
  source: 'reported',
  ...more,
})
const plain: Price = {
  kind: 'per_usage',
  model_ratio: 1,
  completion_ratio: 2,
  cache_ratio: 0.1,
  create_cache_ratio: 1.25,
}
const priced = (tiers: PriceTiers[string]): Price => ({ ...plain, tiers })
const cost = (price: Price, usage: Partial<Usage>, at?: number) => charge(price, 1, used(usage), UNIT, at).quota

describe('by the length of the prompt', () => {
  const price = priced({
    prompt: [
      { above: 200_000, factor: { input: 2, output: 1.5 } },
      { above: 1_000_000, factor: { input: 4, output: 3 } },
    ],
  })

  test('nothing changes up to the limit, and behind it the whole request costs more', () => {
    expect(cost(price, { input: 200_000, output: 100 })).toBe(200_200)
    expect(cost(price, { input: 200_001, output: 100 })).toBe(400_302)
    expect(cost(price, { input: 1_000_001, output: 100 })).toBe(4_000_604)
  })

  test('what was read from a cache and written to one is part of the prompt, and costs more with it', () => {
    const usage = { input: 1, cache_read: 150_000, cache_write: 50_000 }
    expect(cost(price, usage)).toBe(2 * (1 + 15_000 + 62_500))
  })

  test('the hold is in the tier of the estimated prompt, the charge in the one reported', () => {
    const sizes = { PreConsumedQuota: 0, QuotaPerUnit: UNIT }
    expect(estimateCost(price, 1, { prompt_estimate: 100, max_tokens: 0 }, sizes).quota).toBe(100)
    expect(estimateCost(price, 1, { prompt_estimate: 300_000, max_tokens: 0 }, sizes).quota).toBe(600_000)
  })
})

describe('by the tier of service', () => {
  const price = priced({ service: { flex: 0.5, priority: { input: 2, output: 3 } } })

  test('the one that the provider says it served counts', () => {
    expect(cost(price, { input: 1000, output: 100, service_tier: 'flex' })).toBe(600)
    expect(cost(price, { input: 1000, output: 100, service_tier: 'priority' })).toBe(2600)
    expect(cost(price, { input: 1000, output: 100, service_tier: 'default' })).toBe(1200)
    expect(cost(price, { input: 1000, output: 100, service_tier: 'constructor' })).toBe(1200)
    expect(cost(price, { input: 1000, output: 100 })).toBe(1200)
  })

  test('tools cost the same in every one', () => {
    const withTools: Price = { ...price, tools: { web_search: 10 } }
    const usage = { input: 1000, service_tier: 'flex', calls: { web_search: 2 } }
    expect(cost(withTools, usage)).toBe(500 + 2 * 5000)
  })
})

describe('by the time of day', () => {
  const price = priced({
    time: [{ time_zone: 'Asia/Shanghai', days: [1, 2, 3, 4, 5], hours: [[0, 9]], factor: 0.5 }],
  })
  const at = (time: string) => cost(price, { input: 1000 }, Date.parse(time))

  test('the moment of admission counts, on the clocks of the zone', () => {
    expect(at('2026-11-20T00:59:59Z')).toBe(500) // Friday, 08:59:59 in Shanghai
    expect(at('2026-11-20T01:00:00Z')).toBe(1000)
    expect(at('2026-11-19T16:00:00Z')).toBe(500) // midnight there
    expect(at('2026-11-19T15:59:59Z')).toBe(1000)
    expect(at('2026-11-20T16:30:00Z')).toBe(1000) // Saturday there
  })

  test('nothing changes where the moment is not known', () => {
    expect(cost(price, { input: 1000 })).toBe(1000)
  })
})

describe('several at once', () => {
  test('multiply each other, and the bill names them and adds up', () => {
    const price = priced({
      prompt: [{ above: 10, factor: 2 }],
      service: { priority: { input: 2, output: 3 } },
      time: [{ time_zone: 'UTC', factor: 0.5 }],
    })
    const { quota, lines } = charge(price, 1, used({ input: 1000, output: 100, service_tier: 'priority' }), UNIT, 0)
    expect(quota).toBe(1000 * 2 * 2 * 0.5 + 100 * 2 * 2 * 3 * 0.5)
    expect(lines).toMatchObject([
      { what: 'input', multiplier: '2', tier: 'prompt>10, priority, UTC' },
      { what: 'output', multiplier: '3', tier: 'prompt>10, priority, UTC' },
    ])
    expect(lines.reduce((sum, line) => sum + Number(line.quota), 0)).toBe(quota)
  })

  test('a tier of 0 is free, one of 1 is not named', () => {
    expect(cost(priced({ service: { gift: 0 } }), { input: 1000, service_tier: 'gift' })).toBe(0)
    const { lines } = charge(priced({ service: { same: 1 } }), 1, used({ input: 5, service_tier: 'same' }), UNIT)
    expect(lines[0]).not.toHaveProperty('tier')
  })
})

describe('the table', () => {
  const table = PriceTiers.parse({
    '*': { service: { batch: 0.5 } },
    'a-*': { prompt: [{ above: 1, factor: 2 }] },
    'a-b*': { prompt: [] },
    'a-b-c': { service: { batch: 0.9, flex: 0.7 } },
  })

  test('gives of each kind the longest pattern that has it', () => {
    expect(findPriceTiers('x', table)).toEqual({ service: { batch: 0.5 } })
    expect(findPriceTiers('a-x', table)).toEqual({ service: { batch: 0.5 }, prompt: [{ above: 1, factor: 2 }] })
    expect(findPriceTiers('a-b', table)).toEqual({ service: { batch: 0.5 } })
    expect(findPriceTiers('a-b-c', table)).toEqual({ service: { batch: 0.9, flex: 0.7 } })
  })

  test('refuses what it cannot mean', () => {
    for (const bad of [
      { m: { prompt: [{ above: 0, factor: 1 }] } },
      { m: { prompt: [{ above: 5, factor: -1 }] } },
      { m: { time: [{ time_zone: 'Mars/Base', factor: 1 }] } },
      { m: { time: [{ time_zone: 'UTC', hours: [[9, 5]], factor: 1 }] } },
      { m: { unknown: 1 } },
    ]) {
      expect(PriceTiers.safeParse(bad).success).toBe(false)
    }
  })

  test.each([
    ['gpt-5.5', 300_000, { input: 2, output: 1.5 }],
    ['gemini-2.5-pro', 400_000, { input: 2, output: 1.5 }],
    ['claude-sonnet-4-20250514', 400_000, { input: 2, output: 1.5 }],
    ['gpt-4o', 900_000, { input: 1, output: 1 }],
  ])('of a fresh installation knows long prompts of %s', (model, input, factor) => {
    const price = findPrice(model, settings, false)
    if (price?.kind !== 'per_usage') throw new Error(`${model} has no price by usage`)
    const { tiers: _, ...flat } = price
    const whole = (usage: Partial<Usage>) => cost(price, usage) / cost(flat, usage)
    expect(whole({ input })).toBeCloseTo(factor.input, 5)
    const output = cost(price, { input, output: 1_000_000 }) - cost(price, { input })
    expect(output / cost(flat, { output: 1_000_000 })).toBeCloseTo(factor.output, 5)
  })
})
