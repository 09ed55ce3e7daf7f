// One model, one price: whichever of two names of a model channels list, and whichever is asked for, the call is priced
// alike, and goes by the name that is listed.
import { expect, test } from 'vitest'
import { createChannelIndex } from '../../../core/channels/channel-index.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { buildKnownUsage, buildPlainHead } from '../../../core/dialects/passing.ts'
import { listSameModels } from '../../../core/models/same-model.ts'
import { snapshots } from '../../../core/models/snapshots.data.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { charge } from '../../../core/pricing/charge.ts'
import { findPrice } from '../../../core/pricing/price-book.ts'
import { type Admission, admitCall, type CallerIdentity, findFurtherModel } from '../../../core/relay/admission.ts'
import type { Settings } from '../../../core/settings/index.ts'
import { PRICE_PART_LIST } from '../../../core/settings/price-parts.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'
import { newChannel } from '../../storage/samples.ts'
import { sampleCases } from '../../support/suite.ts'

const defaults = defaultSettings()
const tabled = PRICE_PART_LIST.flatMap(({ table }) => Object.keys(defaults[table]))
const names = [...new Set([...tabled, ...snapshots.keys()])].filter((name) => !name.endsWith('*'))
/** Every two names of one model in the tables, each listed in turn, and every plain name with its snapshot. */
const pairs = [
  ...names.flatMap((listed) => listSameModels(listed, names).map((asked) => ({ listed, callerDialect: asked }))),
  ...[...snapshots].flatMap(([plain, date]) => {
    const dated = date === '' ? `${plain}-latest` : `${plain}-${date}`
    return [
      { listed: plain, callerDialect: dated },
      { listed: dated, callerDialect: plain },
    ]
  }),
].filter(({ listed, callerDialect: asked }) => listed !== asked)

const usage = buildKnownUsage({
  input: 100_000,
  output: 30_000,
  cache_read: 50_000,
  cache_write: 20_000,
  audio_in: 7_000,
})

/** An operator's own word, of one of the names. */
const said = (['ModelRatio', 'ModelPrice', 'CompletionRatio', 'CacheRatio'] as const).flatMap((table) =>
  (['listed', 'asked'] as const).map((of) => ({ table, of })),
)

/** Each pair has a group of its own, whose one channel lists the one name. */
async function admissions(sample: typeof pairs) {
  const rows = sample.map(({ listed }, at) => ({ ...newChannel({ models: listed, group: `g${at}` }), id: at + 1 }))
  const channels = await createChannelIndex({
    channels: { all: async () => rows },
    onChange: () => () => {},
  } as unknown as Storage)
  return (at: number, model: string, settings: Settings) => {
    const user = { id: 1, group: `g${at}`, role: 1, status: 1, DeletedAt: null, setting: '' }
    const caller = { user, token: null, ip: '' } as unknown as CallerIdentity
    const priced = { ...settings, SelfUseModeEnabled: true }
    const surroundings = { settings: priced, channels, nowSeconds: 0, callerDialect: openaiChat }
    const { price, model: name } = admitCall(caller, buildPlainHead(model, 1), undefined, surroundings)
    return { name, quota: charge(price, 1, usage, settings.QuotaPerUnit, 0).quota }
  }
}

const withEntry = (table: (typeof said)[number]['table'], name: string): Settings =>
  Object.freeze({ ...defaults, [table]: { ...defaults[table], [name]: 123 } })

test('a call costs the same by either name, as the tables come and with a word of the operator of either', async () => {
  const sample = sampleCases(pairs, 6)
  expect(sample.length).toBeGreaterThan(20)
  const admitted = await admissions(sample)
  sample.forEach(({ listed, callerDialect: asked }, at) => {
    for (const settings of [
      defaults,
      ...said.map(({ table, of }) => withEntry(table, of === 'listed' ? listed : asked)),
    ]) {
      const [one, other] = [admitted(at, listed, settings), admitted(at, asked, settings)]
      expect(one.name, `${asked} at ${listed}`).toBe(listed)
      expect(other, `${asked} at ${listed}`).toEqual(one)
    }
  })
})

test('a further model of an admitted call goes by the name that is listed, and by its own where none is', async () => {
  const rows = [{ ...newChannel({ models: 'gpt-5', group: 'g' }), id: 1 }]
  const channels = await createChannelIndex({
    channels: { all: async () => rows },
    onChange: () => () => {},
  } as unknown as Storage)
  const caller = { user: { setting: '' } } as unknown as CallerIdentity
  const find = (model: string) =>
    findFurtherModel(model, caller, { group: 'g' } as Admission, { settings: defaults, channels })
  expect(find('gpt-5-2025-08-07')).toEqual({ model: 'gpt-5', listedName: 'gpt-5', price: find('gpt-5').price })
  expect(find('gpt-5')).toMatchObject({ listedName: 'gpt-5', price: { model_ratio: defaults.ModelRatio['gpt-5'] } })
  expect(find('whisper-1')).toMatchObject({ model: 'whisper-1', listedName: 'whisper-1', price: expect.any(Object) })
  expect(find('nobody-knows-it')).toEqual({ model: 'nobody-knows-it', listedName: 'nobody-knows-it', price: null })
})

test("an operator's price of either name wins over a built-in one, and of two that of the listed name", () => {
  const [listed, asked] = ['gpt-5-2025-08-07', 'gpt-5']
  const priceWith = (ratios: Record<string, number>) =>
    findPrice(listed, Object.freeze({ ...defaults, ModelRatio: { ...defaults.ModelRatio, ...ratios } }), false)
  expect(priceWith({})).toMatchObject({ model_ratio: defaults.ModelRatio[listed] })
  expect(priceWith({ [asked]: 225 })).toMatchObject({ model_ratio: 225 })
  expect(priceWith({ [asked]: 225, [listed]: 7 })).toMatchObject({ model_ratio: 7 })
  // Each table by itself.
  const parts = { CacheRatio: { ...defaults.CacheRatio, [asked]: 0.77 }, ModelRatio: { [listed]: 3 } }
  expect(findPrice(listed, Object.freeze({ ...defaults, ...parts }), false)).toMatchObject({
    model_ratio: 3,
    cache_ratio: 0.77,
  })
  const tools = { ToolPrice: { ...defaults.ToolPrice, [`web_search:${asked}`]: 99 } }
  expect(findPrice(listed, Object.freeze({ ...defaults, ...tools }), false)?.tools).toMatchObject({ web_search: 99 })
  const tiers = { PriceTiers: { ...defaults.PriceTiers, [asked]: { service: { priority: 9 } } } }
  expect(findPrice(listed, Object.freeze({ ...defaults, ...tiers }), false)?.tiers?.service).toMatchObject({
    priority: 9,
  })
})

test("a drawing's mode has a price of its own, which is none of the plain one's", () => {
  const settings = Object.freeze({ ...defaults, ModelPrice: { ...defaults.ModelPrice, mj_turbo_imagine: 0.4 } })
  expect(findPrice('mj_turbo_imagine', settings, false)).toMatchObject({ model_price: 0.4 })
  expect(findPrice('mj_fast_imagine', settings, false)).toMatchObject({ model_price: defaults.ModelPrice.mj_imagine })
  expect(findPrice('mj_imagine', settings, false)).toMatchObject({ model_price: defaults.ModelPrice.mj_imagine })
})
