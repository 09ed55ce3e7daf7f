// Lists of prices of every kind that is known are read by what is in them; what cannot be read says why, and costs no other.
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { kindOf } from '../../../core/models/model-facts.ts'
import { priceList, tierList } from '../../../core/pricing/price-list.ts'
import { readCatalogue } from '../../../core/prices/read-catalogue.ts'
import { priceWith } from '../../../core/prices/merge.ts'
import { PriceFields } from '../../../core/settings/channel-price.ts'
import type { Tiers } from '../../../core/settings/price-tiers.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'

const settings = defaultSettings()
/** The tiers of this site are not of what a list says. */
const bare = { ...settings, PriceTiers: {}, ToolPrice: {}, AudioInputPrice: {}, ImageMultiplier: {} }

const read = (list: unknown, provider?: string) => readCatalogue(JSON.stringify(list), provider)
const usdOf = (list: unknown, model: string, provider?: string) => {
  const entry = read(list, provider).entries.find((each) => each.model === model)
  const price = priceWith(model, entry?.price ?? null, bare)
  return price && Object.fromEntries(priceList(price, kindOf(model)).map(({ component, usd }) => [component, usd]))
}

describe("LiteLLM's file", () => {
  const file = {
    sample_spec: { litellm_provider: 'one of many', input_cost_per_token: 0, max_tokens: 'LEGACY parameter' },
    'claude-sonnet-4-5': {
      ...{ input_cost_per_token: 3e-6, output_cost_per_token: 1.5e-5, litellm_provider: 'anthropic', mode: 'chat' },
      ...{ cache_read_input_token_cost: 3e-7, cache_creation_input_token_cost: 3.75e-6 },
      ...{ cache_creation_input_token_cost_above_1hr: 7.5e-6, input_cost_per_token_above_200k_tokens: 6e-6 },
      ...{ output_cost_per_token_above_200k_tokens: 2.25e-5, cache_read_input_token_cost_above_200k_tokens: 6e-7 },
      ...{
        max_input_tokens: 200_000,
        max_output_tokens: 64_000,
        supports_vision: true,
        input_cost_per_token_batches: 1.5e-6,
      },
    },
    'gpt-4o-audio-preview': {
      ...{ input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5, litellm_provider: 'openai', mode: 'chat' },
      ...{ input_cost_per_audio_token: 4e-5, output_cost_per_audio_token: 8e-5, supports_audio_output: true },
    },
    'dall-e-3': { output_cost_per_image: 0.04, litellm_provider: 'openai', mode: 'image_generation' },
    'whisper-1': {
      input_cost_per_second: 0.0001,
      output_cost_per_second: 0.0001,
      litellm_provider: 'openai',
      mode: 'audio_transcription',
    },
    'tts-1': { input_cost_per_character: 1.5e-5, litellm_provider: 'openai', mode: 'audio_speech' },
    'sora-2': { output_cost_per_video_per_second: 0.1, litellm_provider: 'openai', mode: 'video_generation' },
    'rerank-v3.5': {
      input_cost_per_query: 0.002,
      input_cost_per_token: 0,
      output_cost_per_token: 0,
      litellm_provider: 'cohere',
      mode: 'rerank',
    },
    'deepseek/deepseek-chat': {
      input_cost_per_token: 2.8e-7,
      output_cost_per_token: 4.2e-7,
      litellm_provider: 'deepseek',
    },
    'dashscope/qwen3-max': {
      litellm_provider: 'dashscope',
      tiered_pricing: [
        { range: [0, 32_000], input_cost_per_token: 1.2e-6, output_cost_per_token: 6e-6 },
        { range: [32_000, 128_000], input_cost_per_token: 2.4e-6, output_cost_per_token: 1.2e-5 },
      ],
    },
    'no-price': { litellm_provider: 'openai', max_tokens: 10 },
    'text-moderation': { input_cost_per_token: 0, output_cost_per_token: 0, litellm_provider: 'openai' },
    broken: { input_cost_per_token: -1, litellm_provider: 'x' },
    odd: 'text',
  }

  test.each<[string, Record<string, number>]>([
    ['claude-sonnet-4-5', { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75, cache_write_1h: 7.5 }],
    ['gpt-4o-audio-preview', { input: 2.5, output: 10, audio_input: 40, audio_output: 80 }],
    ['dall-e-3', { image: 0.04 }],
    ['whisper-1', { audio_duration: 6 }],
    ['tts-1', { characters: 15 }],
    ['sora-2', { video: 0.1 }],
    ['deepseek-chat', { input: 0.28, output: 0.42 }],
    ['qwen3-max', { input: 1.2, output: 6 }],
    ['text-moderation', { input: 0, output: 0 }],
  ])('has the price of %s', (model, usd) => {
    expect(usdOf(file, model)).toMatchObject(usd)
  })

  it('has tiers, limits, what a model reads, and names what it cannot read', () => {
    const { shape, entries, skipped } = read(file)
    const of = (model: string) => entries.find((each) => each.model === model)!
    expect(shape).toBe('litellm')
    expect(of('claude-sonnet-4-5')).toMatchObject({
      ...{ context: 200_000, longest: 64_000, reads: ['text', 'image'], writes: ['text'], provider: 'anthropic' },
      price: {
        tiers: {
          prompt: [{ above: 200_000, factor: { input: 2, output: 1.5, cache_read: 2 } }],
          service: { batch: { input: 0.5, output: 0.5 } },
          cache: { '1h': 2 },
        },
      },
    })
    expect(of('qwen3-max').price.tiers).toEqual({ prompt: [{ above: 32_000, factor: { input: 2, output: 2 } }] })
    expect(skipped).toEqual([
      { model: 'no-price', reason: 'no_price' },
      { model: 'broken', reason: 'no_price' },
      { model: 'odd', reason: 'unusable' },
    ])
  })
})

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
        { model_name: 'formula', quota_type: 0, model_ratio: 1, billing_mode: 'tiered_expr', billing_expr: 'p*2' },
        { model_name: 'guess', quota_type: 0, model_ratio: 37.5, has_price: false },
      ],
    }
    expect(read(list).shape).toBe('pricing')
    expect(read(list).entries.map(({ model, price }) => [model, price])).toEqual([
      ['a', { model_ratio: 1.5, completion_ratio: 5, cache_ratio: 0.1 }],
      ['b', { model_price: 0.04 }],
    ])
    expect(read(list).skipped.map(({ model }) => model)).toEqual(['formula', 'guess'])
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
            time: fc.constant<Tiers['time']>([
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
        const [entry] = read({ data: [{ model_name: 'a', ...shown, tiers: tierList(tiers) }] }).entries
        expect(entry?.price).toEqual(Object.keys(tiers).length > 0 ? given : said)
      }),
      { seed: 8, numRuns: 200 },
    )
  })
})
