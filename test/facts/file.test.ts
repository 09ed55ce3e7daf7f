// The data file of facts as it lies in the repository: whole, and with what Weir itself needs of it.
import { describe, expect, it } from 'vitest'
import { findFaults, formatFactsFile } from './file.ts'
import { corrections } from './corrections.data.ts'
import { findUnpriced } from './unpriced.ts'
import { sellsElsewhere } from './unpriced.data.ts'
import { vendors } from './vendors.data.ts'
import type { FactRow, FactsFile } from '../../core/models/fact-row.ts'
import { factsFile } from '../../core/models/model-facts.data.ts'
import { findModelFacts } from '../../core/models/model-facts.ts'
import { toPriceFields } from '../../core/prices/dollars.ts'
import { findPrice } from '../../core/pricing/price-book.ts'
import { allProviders } from '../../core/providers/index.ts'
import { defaultSettings } from '../../core/settings/snapshot.ts'
import { findStoredPrice } from '../../core/settings/stored-price.ts'
import { addVendorPrices } from '../../core/settings/vendor-prices.ts'

/** Types of channels whose models neither list has: hosts with names of their own, vendors that no list knows, and tasks. */
const WITHOUT_FACTS = new Set(
  `midjourney-proxy midjourney-proxy-plus suno kling jimeng vidu wenxin qianfan xunfei 360 tencent lingyiwanwu sandbox
  openrouter cloudflare siliconflow groq together cerebras`.split(/\s+/),
)
/** Models of the other types that neither list has: ended since, or films and pictures that are priced by hand. */
const UNKNOWN_MODELS = `
  wan2.6-t2v wan2.6-i2v kimi-latest kimi-k2 MiniMax-Hailuo-2.3 MiniMax-Hailuo-2.3-Fast MiniMax-Hailuo-02
  veo-3.1-lite-generate-001 grok-4-1-fast-reasoning grok-4-1-fast-non-reasoning grok-4 grok-3 grok-3-mini veo3.1 veo3.1_fast
  speech-2.8-hd speech-2.8-turbo embo-01`
  .trim()
  .split(/\s+/)

describe('the data file of facts', () => {
  it('has no faults, and every vendor has models in it', () => {
    expect(findFaults(factsFile)).toEqual([])
    const found = new Set(factsFile.models.map(([, vendor]) => vendor))
    expect(vendors.map(({ id }) => id).filter((id) => !found.has(id))).toEqual([])
  })

  it('knows the models that types of channels offer', () => {
    const missing = allProviders
      .filter(({ id }) => !WITHOUT_FACTS.has(id))
      .flatMap(({ models }) => models.filter((model) => !findModelFacts(model)))
    expect([...new Set(missing)].sort()).toEqual([...UNKNOWN_MODELS].sort())
  })

  it('has the limits and the price of models that were wrong or missing once', () => {
    expect(findModelFacts('claude-sonnet-4-6')).toMatchObject({ context: 1_000_000, output: 128_000 })
    expect(findModelFacts('gpt-6.1-terra')).toMatchObject({
      context: 1_050_000,
      output: 128_000,
      reads: ['text', 'image', 'pdf'],
    })
    expect(findPrice('gpt-6.1-terra', defaultSettings(), false)).toMatchObject({
      model_ratio: 0.5,
      completion_ratio: 5,
    })
    expect(findModelFacts('voyage-4')).toMatchObject({ kind: 'embeddings', output: 0 })
    expect(findModelFacts('rerank-v5.0-pro')).toMatchObject({ kind: 'rerank' })
    expect(findModelFacts('grok-imagine-image')).toMatchObject({ kind: 'images', context: 0 })
  })

  it('gives a price to what the specification does not name, and changes none that it does', () => {
    const settings = defaultSettings()
    const none = { ModelRatio: {}, ModelPrice: {}, CompletionRatio: {}, CacheRatio: {}, CreateCacheRatio: {} }
    const more = { ImageRatio: {}, AudioRatio: {}, AudioCompletionRatio: {}, VideoPrice: {}, PriceTiers: {} }
    const alone = { ...settings, ...addVendorPrices({ ...none, ...more }) }
    for (const [model, , kind, , , , , , usd] of factsFile.models) {
      if (!usd || kind === 'video') continue
      const { tiers: _, ...price } = findStoredPrice({ channel: '', model }, alone) ?? {}
      // The settings divide by themselves: the same numbers as where an operator types the dollars.
      const { tiers: _same, ...typed } = toPriceFields(usd)
      expect(price, model).toEqual(typed)
    }
  })

  it('is made of few corrections, each with its source, for models and parts that lists have wrong', () => {
    expect(corrections.length).toBeLessThan(25)
    expect(corrections.filter(({ source }) => source.length < 20)).toEqual([])
  })
})

describe('what packing refuses', () => {
  const row = (name: string, more: Partial<Record<number, unknown>> = {}): FactRow => {
    const whole: unknown[] = [name, 'openai', 'chat', 1000, 100, '2026-10-01', 'text', 'text', { input: 1 }]
    for (const [at, value] of Object.entries(more)) whole[Number(at)] = value
    return whole as unknown as FactRow
  }
  const file = (models: FactRow[], more: Partial<FactsFile> = {}): FactsFile => ({
    date: '2026-11-29',
    sources: [{ name: 'models.dev', models: 2, newest: '2026-09-28', sha256: 'a'.repeat(64) }],
    models,
    ...more,
  })

  it.each<[string, FactsFile, RegExp]>([
    ['no day', file([row('a')], { date: '2026-13-01' }), /2026-13-01 is no day/],
    ['no source', file([row('a')], { sources: [] }), /sources/],
    ['a list from the future', file([row('a')], { date: '2026-09-01' }), /models.dev: read after/],
    ['no models', file([]), /no models/],
    ['an unsorted file', file([row('b'), row('a')]), /not sorted/],
    ['a model twice', file([row('a'), row('a')]), /a: stands there twice/],
    ['another kind', file([row('a', { 2: 'poem' })]), /a: poem is no kind/],
    ['half a token', file([row('a', { 3: 0.5 })]), /a: tokens/],
    ['a longer answer than context', file([row('a', { 1: 'mistral', 4: 2000 })]), /longer than its context/],
    ['a release after the file', file([row('a', { 5: '2026-12-24' })]), /2026-12-24 is no day until/],
    ['unknown content', file([row('a', { 6: 'text smell' })]), /reads or writes/],
    ['a price below nothing', file([row('a', { 8: { input: -1 } })]), /price cannot/],
    ['a price of no part', file([row('a', { 8: {} })]), /price cannot/],
    ['a bad tier', file([row('a', { 9: [{ above: 0, factor: { input: 2, output: 2 } }] })]), /tier/],
  ])('%s', (_, bad, fault) => {
    expect(findFaults(bad).join('\n')).toMatch(fault)
  })

  it('a current model without a price: one that a channel offers, or a vendor has released in the last year', () => {
    const models = [
      row('priced'),
      row('new'),
      row('of-unknown-day', { 5: '' }),
      row('old', { 5: '2025-11-01' }),
      row('elsewhere', { 1: 'mistral' }),
      row('film', { 2: 'video' }),
      row('gpt-oss-1b'),
    ]
    const asked = { file: file(models), offered: [{ id: 'house', models: ['priced', 'offered'] }] }
    expect(findUnpriced({ ...asked, isPriced: (model) => model === 'priced' })).toEqual([
      'offered: no built-in price (offered by house)',
      'new: no built-in price (openai, released 2026-10-01)',
      'of-unknown-day: no built-in price (openai, released on an unknown day)',
    ])
    expect(findUnpriced({ ...asked, isPriced: () => true })).toEqual([])
  })

  it('nothing today, and names no exception that is none', () => {
    expect(findUnpriced({ file: factsFile })).toEqual([])
    const unpriced = factsFile.models
      .filter(([model]) => !findPrice(model, defaultSettings(), false))
      .map(([model]) => model)
    const idle = sellsElsewhere.filter(({ names }) => !unpriced.some((model) => names.test(model)))
    expect(idle).toEqual([])
  })

  it('a file is written with a line for each model', () => {
    const text = formatFactsFile(file([row('a'), row('b')]))
    expect(text.split('\n').filter((line) => /^ {4}\["[ab]","openai"/.test(line))).toHaveLength(2)
    expect(text).toContain('date: "2026-11-29"')
  })
})
