// The purchase price of a call: by channel or type and by model, unknown if it is not configured.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import { buildKnownUsage } from '../../../core/dialects/passing.ts'
import { charge, computePurchaseCost, type SoldUsage } from '../../../core/pricing/charge.ts'
import { findPrice } from '../../../core/pricing/price-book.ts'
import type { Settings } from '../../../core/settings/index.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'
import { openTestGateway } from '../../support/gateway.ts'

const usage = buildKnownUsage({ input: 1000, output: 100 })
const withPrices = (ChannelPrice: Settings['ChannelPrice'], more: Partial<Settings> = {}): Settings =>
  Object.freeze({ ...defaultSettings(), ...more, ChannelPrice })
const sold = (more: Partial<SoldUsage> = {}): SoldUsage => ({
  ...{ channel_id: 7, channel_type: 1, model: 'gpt-4o', usage, at: Date.UTC(2026, 0, 1) },
  ...more,
})

describe('what a call cost', () => {
  it('is unknown, not nothing, where nobody has said', () => {
    expect(computePurchaseCost(sold(), defaultSettings())).toBeUndefined()
    const others = withPrices({ 8: { 'gpt-4o': { model_ratio: 1 } }, 'type:14': { '*': { model_ratio: 1 } } })
    expect(computePurchaseCost(sold(), others)).toBeUndefined()
    expect(computePurchaseCost(sold(), withPrices({ 7: { 'gpt-5*': { model_ratio: 1 } } }))).toBeUndefined()
    expect(computePurchaseCost(sold({ model: 'constructor' }), withPrices({ 7: {} }))).toBeUndefined()
    expect(computePurchaseCost(sold(), withPrices({ 7: { 'gpt-4o': { model_ratio: 0 } } }))).toBe(0)
  })

  it('is told by the channel first, then by its type; by the name first, then by its beginning', () => {
    const prices = withPrices({
      7: { 'gpt-4o': { model_ratio: 1, completion_ratio: 2 }, 'gpt-4*': { model_ratio: 3, completion_ratio: 1 } },
      'type:1': { 'gpt-4o': { model_ratio: 5, completion_ratio: 1 }, '*': { model_price: 0.01 } },
    })
    expect(computePurchaseCost(sold(), prices)).toBe(1200)
    expect(computePurchaseCost(sold({ model: 'gpt-4o-high' }), prices)).toBe(1200)
    expect(computePurchaseCost(sold({ model: 'gpt-4.1' }), prices)).toBe(3300)
    expect(computePurchaseCost(sold({ channel_id: 8 }), prices)).toBe(5500)
    expect(computePurchaseCost(sold({ model: 'o3' }), prices)).toBe(5000)
    expect(computePurchaseCost(sold({ model: 'o3', channel_type: 2 }), prices)).toBeUndefined()
  })

  it('is as the model is sold wherever the price says nothing else, without the ratio of any group', () => {
    const settings = withPrices({ 7: { 'gpt-4o': { model_ratio: 1.25 } } })
    const asSold = (used: Usage) =>
      charge(findPrice('gpt-4o', settings, false)!, 1, used, settings.QuotaPerUnit, Date.UTC(2026, 0, 1)).quota
    for (const more of [
      { cache_read: 500, cache_write: 100, cache_write_1h: 50 },
      { audio_in: 100, audio_out: 50, image_in: 10 },
      { calls: { web_search_preview: 3 } },
      { service_tier: 'flex' },
      { images: { n: 2 }, output: 0 },
    ]) {
      const used = { ...usage, ...more }
      expect(computePurchaseCost(sold({ usage: used }), settings)).toBe(asSold(used))
    }
    const other = withPrices({
      7: { 'gpt-4o': { model_ratio: 1.25, tools: { web_search_preview: 1 }, tiers: { service: { flex: 0.1 } } } },
    })
    expect(computePurchaseCost(sold({ usage: { ...usage, calls: { web_search_preview: 2 } } }), other)).toBe(
      1750 + 1000,
    )
    expect(computePurchaseCost(sold({ usage: { ...usage, service_tier: 'flex' } }), other)).toBe(175)
  })

  it('knows a price of heard sound that is paid, whatever the ratio is at which it is sold', () => {
    const settings = withPrices(
      { 7: { 'gpt-4o': { model_ratio: 1, audio_input_price: 1 } } },
      { AudioRatio: { 'gpt-4o': 20 } },
    )
    const heard = buildKnownUsage({ input: 1000, audio_in: 1000 })
    expect(computePurchaseCost(sold({ usage: heard }), settings)).toBe(500)
  })
})

describe('the setting of purchase prices', () => {
  let weir: Awaited<ReturnType<typeof openTestGateway>>
  beforeAll(async () => {
    weir = await openTestGateway()
  })
  afterAll(() => weir.close())

  const set = (value: unknown) =>
    weir.root.client.settings.update({ key: 'ChannelPrice', value: JSON.stringify(value) })

  it('takes channels and types', async () => {
    await set({
      7: { 'gpt-4o': { model_ratio: 1, completion_ratio: 2 } },
      'type:1': { 'dall-e-3': { model_price: 0.04 } },
    })
    await set({})
  })

  it.each<[string, unknown, string]>([
    ['a name of no channel', { openai: { 'gpt-4o': { model_ratio: 1 } } }, 'setting.price_channel'],
    ['two prices at once', { 7: { 'gpt-4o': { model_ratio: 1, model_price: 1 } } }, 'setting.price_kind'],
    ['no price', { 7: { 'gpt-4o': {} } }, 'setting.price_kind'],
    ['a ratio below 0', { 7: { 'gpt-4o': { model_ratio: -1 } } }, 'setting.ratio'],
    ['a word that prices do not have', { 7: { 'gpt-4o': { model_ratio: 1, discount: 2 } } }, 'setting.shape'],
  ])('refuses %s', async (_, value, code) => {
    await expect(set(value)).rejects.toMatchObject({ code })
  })
})
