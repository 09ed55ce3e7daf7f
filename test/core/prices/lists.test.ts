// Lists of prices of every kind that is known are read by what is in them; what cannot be read says why, and costs no other.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildTierList } from '../../../core/pricing/price-list.ts'
import { PriceFields } from '../../../core/settings/channel-price.ts'
import type { PriceTierRules } from '../../../core/settings/price-tiers.ts'
import { read, usdOf } from './read.ts'

describe("models.dev's list", () => {
  const model = (cost: object | undefined) => ({
    id: 'm',
    limit: { context: 10, output: 5 },
    modalities: { input: ['text'], output: ['text'] },
    last_updated: '2026-10-01',
    ...(cost ? { cost } : {}),
  })
  const list = {
    reseller: {
      id: 'reseller',
      models: {
        'gpt-5': model({ input: 9, output: 9 }),
        theirs: model({ input: 1, output: 2 }),
        split: model({ input: 1, output: 1 }),
      },
    },
    giver: {
      models: {
        'gpt-5': model({ input: 0, output: 0 }),
        theirs: model({ input: 0, output: 0 }),
        split: model({ input: 2, output: 1 }),
      },
    },
    openai: {
      models: {
        'gpt-5': model({
          input: 1.25,
          output: 10,
          cache_read: 0.125,
          input_audio: 5,
          context_over_200k: { input: 2.5, output: 15 },
        }),
        fast: {
          ...model({ input: 2.5, output: 15 }),
          experimental: {
            modes: {
              fast: { cost: { input: 5, output: 30 }, provider: { body: { service_tier: 'priority' } } },
              other: { cost: { input: 9, output: 9 }, provider: { body: { speed: 'fast' } } },
            },
          },
        },
        unpriced: model(undefined),
      },
    },
  }

  it('has the maker’s price, or the one that all others agree on', () => {
    const { shape, entries, skipped } = read(list)
    expect(shape).toBe('models.dev')
    expect(usdOf(list, 'gpt-5')).toMatchObject({ input: 1.25, output: 10, cache_read: 0.125, audio_input: 5 })
    expect(usdOf(list, 'theirs')).toMatchObject({ input: 1, output: 2 })
    expect(entries[0]).toMatchObject({
      ...{ model: 'gpt-5', provider: 'openai', date: '2026-10-01', context: 10, longest: 5 },
      price: { tiers: { prompt: [{ above: 200_000, factor: { input: 2, output: 1.5 } }] } },
    })
    expect(entries.find((each) => each.model === 'fast')?.price.tiers).toEqual({
      service: { priority: { input: 2, output: 2 } },
    })
    expect(skipped).toEqual([
      { model: 'split', reason: 'several' },
      { model: 'unpriced', reason: 'no_price' },
    ])
  })

  it('has one provider’s where it is asked for', () => {
    expect(usdOf(list, 'gpt-5', 'reseller')).toMatchObject({ input: 9, output: 9 })
    expect(read(list, 'reseller').entries.map((entry) => entry.model)).toEqual(['gpt-5', 'theirs', 'split'])
  })
})

describe('another gateway', () => {
  it('is read by its price list', () => {
    const list = {
      success: true,
      data: [
        { model_name: 'a', quota_type: 0, model_ratio: 1.5, model_price: 0, completion_ratio: 5, cache_ratio: 0.1 },
        { model_name: 'b', quota_type: 1, model_ratio: 0, model_price: 0.04, completion_ratio: 0 },
        { model_name: 'by the second', quota_type: 4, model_ratio: 0, model_price: 0.01, completion_ratio: 0 },
        { model_name: 'formula', quota_type: 0, model_ratio: 1, billing_mode: 'tiered_expr', billing_expr: 'p*2' },
        { model_name: 'guess', quota_type: 0, model_ratio: 37.5, has_price: false },
      ],
    }
    expect(read(list).shape).toBe('pricing')
    expect(read(list).entries.map(({ model, price }) => [model, price])).toEqual([
      ['a', { model_ratio: 1.5, completion_ratio: 5, cache_ratio: 0.1 }],
      ['b', { model_price: 0.04 }],
    ])
    expect(read(list).skipped.map(({ model }) => model)).toEqual(['by the second', 'formula', 'guess'])
    expect(read(list.data).entries).toHaveLength(2)
  })

  it('is read by its tables, from its reply, its settings, or as they stand alone', () => {
    const tables = { model_ratio: { a: 1.5, odd: 'x' }, completion_ratio: { a: 5 }, model_price: { b: 0.04, none: -1 } }
    const options = [
      { key: 'ModelRatio', value: JSON.stringify(tables.model_ratio) },
      { key: 'CompletionRatio', value: JSON.stringify(tables.completion_ratio) },
      { key: 'ModelPrice', value: JSON.stringify(tables.model_price) },
      { key: 'SystemName', value: 'theirs' },
    ]
    for (const list of [{ success: true, data: tables }, tables, { success: true, data: options }, options]) {
      const { shape, entries, skipped } = read(list)
      expect(shape).toBe('ratios')
      expect(entries.map(({ model, price }) => [model, price])).toEqual([
        ['b', { model_price: 0.04 }],
        ['a', { model_ratio: 1.5, completion_ratio: 5 }],
      ])
      expect(skipped.map(({ model }) => model)).toEqual(['none', 'odd'])
    }
  })

  const ratio = fc.double({ min: 1e-9, max: 1e6, noNaN: true })
  const factor = fc.record({
    input: fc.constantFrom(0.5, 2),
    output: fc.constantFrom(0.5, 1.5),
    cache_read: fc.constant(1),
    cache_write: fc.constant(2),
  })
  const price: fc.Arbitrary<PriceFields> = fc.oneof(
    fc.record(
      {
        ...{ model_ratio: ratio, completion_ratio: ratio, cache_ratio: ratio, create_cache_ratio: ratio },
        ...{ image_ratio: ratio, audio_ratio: ratio, audio_completion_ratio: ratio, video_price: ratio },
        tiers: fc.record(
          {
            prompt: fc.array(fc.record({ above: fc.integer({ min: 1, max: 1e6 }), factor }), {
              minLength: 1,
              maxLength: 3,
            }),
            service: fc.dictionary(fc.constantFrom('batch', 'flex'), factor, { minKeys: 1 }),
            cache: fc.constantFrom({ '1h': 2 }, { '5m': 1, '1h': 1.6 }),
            time: fc.constant<PriceTierRules['time']>([
              {
                time_zone: 'Asia/Shanghai',
                hours: [[0, 9]] as [number, number][],
                factor: { input: 0.5, output: 0.5, cache_read: 0.5, cache_write: 0.5 },
              },
            ]),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: ['model_ratio', 'completion_ratio', 'cache_ratio', 'create_cache_ratio'] },
    ),
    fc.record({ model_price: ratio }),
  )

  it('that is Weir is read back to the digit, with tiers', () => {
    fc.assert(
      fc.property(price, (given) => {
        const { tiers = {}, ...said } = given
        const shown = {
          quota_type: given.model_price === undefined ? 0 : 1,
          model_price: 0,
          model_ratio: 0,
          completion_ratio: 0,
          ...said,
        }
        const [entry] = read({ data: [{ model_name: 'a', ...shown, tiers: buildTierList(tiers) }] }).entries
        expect(entry?.price).toEqual(Object.keys(tiers).length > 0 ? given : said)
      }),
      { seed: 8, numRuns: 200 },
    )
  })
})
