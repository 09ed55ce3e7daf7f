// Seconds of video: by their own price, by the ratio of the model, or covered by the price of the call.
import { describe, expect, it } from 'vitest'
import { buildKnownUsage } from '../../../core/dialects/passing.ts'
import { charge, computePurchaseCost } from '../../../core/pricing/charge.ts'
import { estimateCost } from '../../../core/pricing/estimate.ts'
import { findPrice } from '../../../core/pricing/price-book.ts'
import { buildUsageDetail } from '../../../core/pricing/usage-detail.ts'
import type { Settings } from '../../../core/settings/index.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'

const UNIT = 500_000
const film = buildKnownUsage({ video_seconds: 8 })
const withTables = (tables: Partial<Settings>): Settings => Object.freeze({ ...defaultSettings(), ...tables })
const paid = (tables: Partial<Settings>, usage = film) => charge(priceOf(tables), 1, usage, UNIT)
const priceOf = (tables: Partial<Settings>) => findPrice('veo-9', withTables(tables), false)!

describe('a film', () => {
  it('costs what its seconds cost, also where the model has no other price', () => {
    expect(paid({ VideoPrice: { 'veo-9': 0.4 } })).toMatchObject({
      quota: 8 * 0.4 * UNIT,
      lines: [{ what: 'video', count: 8, price: '200000', quota: '1600000' }],
    })
    expect(paid({ VideoPrice: { 'veo-*': 0.1, '*': 9 }, ModelRatio: { 'veo-9': 7 } }).quota).toBe(400_000)
    expect(findPrice('veo-9', withTables({ VideoPrice: { '*': 0.1 } }), false)).toBeNull()
  })

  it('follows the ratio of its model as sound does: USD per second times 30000', () => {
    expect(paid({ ModelRatio: { 'veo-9': 0.4 * 30_000 } }).quota).toBe(8 * 0.4 * UNIT)
    const { quota, lines } = paid({ ModelRatio: { 'veo-9': 1 } }, buildKnownUsage({ video_seconds: 3 }))
    expect([quota, lines[0]?.price]).toEqual([50, '16.666666666667'])
  })

  it('is covered by the price of the call', () => {
    expect(paid({ ModelPrice: { 'veo-9': 1.5 }, VideoPrice: { 'veo-9': 9 } }).quota).toBe(1.5 * UNIT)
  })

  it('is charged by its tokens where these are reported, never both ways', () => {
    const tables = { ModelRatio: { 'veo-9': 2 }, CompletionRatio: { 'veo-9': 1 }, VideoPrice: { 'veo-9': 0.4 } }
    expect(paid(tables, { ...film, output: 1000 }).quota).toBe(2000)
  })

  it('is held for by its length, and told by the log', () => {
    const price = priceOf({ VideoPrice: { 'veo-9': 0.4 } })
    const asked = { prompt_estimate: 20, video_seconds: 8 }
    expect(estimateCost(price, 1, asked, { PreConsumedQuota: 500, QuotaPerUnit: UNIT }).quota).toBe(1_600_000)
    expect(buildUsageDetail(film, price, undefined)).toMatchObject({ video_seconds: 8 })
  })

  it('has a purchase price', () => {
    const settings = withTables({ ChannelPrice: { 3: { 'veo-9': { model_ratio: 0, video_price: 0.3 } } } })
    const sold = { channel_id: 3, channel_type: 1, model: 'veo-9', usage: film, at: 0 }
    expect(computePurchaseCost(sold, settings)).toBe(1_200_000)
  })
})
