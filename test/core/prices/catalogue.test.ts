// A catalogue of prices: dollars and ratios, the one that comes with Weir, and what is refused as no list of prices.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { GatewayError } from '../../../core/errors.ts'
import { charge } from '../../../core/pricing/charge.ts'
import type { Price } from '../../../core/pricing/price.ts'
import { listModelPrices } from '../../../core/pricing/price-list.ts'
import { buildBuiltinCatalogue } from '../../../core/prices/gateway-lists.ts'
import { estimateBills } from '../../../core/prices/difference.ts'
import { toPriceFields, type DollarPrice } from '../../../core/prices/dollars.ts'
import { readCatalogue } from '../../../core/prices/feature.ts'
import { buildCallPrice } from '../../../core/prices/merge.ts'
import { PriceFields } from '../../../core/settings/channel-price.ts'
import { bare } from './read.ts'

it('dollars become ratios and are the same dollars again', () => {
  const usd = fc.integer({ min: 1, max: 2_000_000 }).map((n) => n / 1000)
  const dollars: fc.Arbitrary<DollarPrice> = fc.record(
    {
      ...{ input: usd, output: usd, cache_read: usd, cache_write: usd, cache_write_1h: usd, image_input: usd },
      ...{ audio_input: usd, audio_output: usd, video: usd },
    },
    { requiredKeys: ['input', 'output', 'cache_write'] },
  )
  fc.assert(
    fc.property(dollars, (given) => {
      const price = buildCallPrice('a-model', toPriceFields(given), bare)!
      const shown = Object.fromEntries(
        listModelPrices(price, 'chat').map(({ component, usd: each }) => [component, each]),
      )
      expect(shown).toMatchObject(given)
    }),
    { seed: 4, numRuns: 300 },
  )
})

it('what a call would have cost elsewhere is what it costs there, cached and written tokens as such', () => {
  const usd = fc.integer({ min: 1, max: 200_000 }).map((n) => n / 1000)
  const dollars = fc.record({ input: usd, output: usd, cache_read: usd, cache_write: usd })
  const tokens = fc.record({
    ...{ input: fc.nat(90_000), cache_read: fc.nat(90_000), cache_write: fc.nat(90_000), output: fc.nat(9000) },
  })
  fc.assert(
    fc.property(dollars, dollars, tokens, fc.constantFrom(0.5, 1, 3), (here, elsewhere, counts, group) => {
      const [now, there] = [here, elsewhere].map((price) => buildCallPrice('a-model', toPriceFields(price), bare)!)
      const usage = { ...counts, cache_write_1h: 0, reasoning: 0, source: 'reported' as const }
      const charged = (price: Price | undefined) => charge(price!, group, usage, 500_000).quota
      const { input, cache_read: cached, cache_write: written, output } = counts
      const use = { model: 'a-model', users: 1, calls: 1, charged: charged(now), input, cached, written, output }
      const bills = estimateBills(use, { now: now!, there: there! }, 500_000)
      expect(bills).toMatchObject({ users: 1, calls: 1, charged: charged(now) })
      // What was charged is rounded.
      const rounding = charged(there) / Math.max(1, charged(now)) + 1
      fc.pre(charged(now) > 1)
      expect(Math.abs(bills.would_charge - charged(there))).toBeLessThanOrEqual(rounding)
    }),
    { seed: 4, numRuns: 300 },
  )
})

describe('what is no list of prices', () => {
  test.each<[string, string, string]>([
    ['no JSON', '<html>Not found</html>', 'prices.not_json'],
    ['half a list', '{"data":[{"model_name":', 'prices.not_json'],
    ['nothing', '', 'prices.not_json'],
    ['a number', '5', 'prices.unknown_list'],
    ['null', 'null', 'prices.unknown_list'],
    ['another JSON', '{"object":"list","data":[{"id":"gpt-5"}]}', 'prices.unknown_list'],
    ['an error', '{"success":false,"message":"no"}', 'prices.unknown_list'],
    ['an array in an array', `${'['.repeat(5000)}${']'.repeat(5000)}`, 'prices.unknown_list'],
    ['a list without prices', '{"data":[{"model_name":"a","model_ratio":"free"}]}', 'prices.empty_list'],
    ['names that no table can hold', '{"model_ratio":{"__proto__":1,"gpt-*":2,"a\\nb":3}}', 'prices.empty_list'],
    ['a text of 17 MiB', `"${'x'.repeat(17 * 1024 * 1024)}"`, 'prices.too_many'],
    [
      'too many models',
      JSON.stringify({ model_ratio: Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`m${n}`, 1])) }),
      'prices.too_many',
    ],
  ])('%s is refused as such', (_, text, code) => {
    const refusal = (() => {
      try {
        return readCatalogue(text)
      } catch (error) {
        return error
      }
    })()
    expect(refusal).toBeInstanceOf(GatewayError)
    expect((refusal as GatewayError).code).toBe(code)
  })

  it('is refused whatever it is, and what is read can be kept', () => {
    const leaf = fc.oneof(fc.double(), fc.string(), fc.constant(null), fc.constantFrom(-1, 1e308, '1e-6', '0.1'))
    const key = fc.constantFrom(
      'data',
      'model_name',
      'model_ratio',
      'cost',
      'models',
      'input',
      'litellm_provider',
      'input_cost_per_token',
      'tiers',
      'quota_type',
      'tiered_pricing',
      'range',
      'a',
    )
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
      ),
    }))
    fc.assert(
      fc.property(tree, (list) => {
        try {
          for (const { price } of readCatalogue(JSON.stringify(list)).entries) PriceFields.parse(price)
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayError)
        }
      }),
      { seed: 2, numRuns: 2000 },
    )
  })
})

describe('the catalogue that comes with Weir', () => {
  const { entries, skipped } = buildBuiltinCatalogue()

  it('can be used whole, and every price of it has its day', () => {
    expect(skipped).toEqual([])
    expect(entries.length).toBeGreaterThan(200)
    expect(entries.filter(({ date }) => !/^202[5-9]-\d\d-\d\d$/.test(date))).toEqual([])
    const makers = new Set(entries.map(({ provider }) => provider))
    for (const maker of ['openai', 'anthropic', 'google', 'deepseek', 'mistral', 'xai', 'alibaba'])
      expect(makers).toContain(maker)
  })
})
