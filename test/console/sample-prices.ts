// Prices of the small site: a few models with the prices that come with Weir, changed and tried by the rules of the core.
import { findPrice } from '../../core/pricing/price-book.ts'
import { listModelPrices } from '../../core/pricing/price-list.ts'
import { getModelKind } from '../../core/models/model-facts.ts'
import { compareFacts } from '../../core/prices/facts-difference.ts'
import { estimateBills } from '../../core/prices/difference.ts'
import { buildPriceRow } from '../../core/prices/price-rows.ts'
import { previewModelPrice, previewPriceTables, buildPriceChange } from '../../core/prices/trial.ts'
import { buildCallPrice } from '../../core/prices/merge.ts'
import type { PriceFields } from '../../core/settings/channel-price.ts'
import type { Settings } from '../../core/settings/index.ts'
import { defaultSettings } from '../../core/settings/snapshot.ts'
import { findStoredPrice, setStoredPrices, type PriceKey } from '../../core/settings/stored-price.ts'
import type { Handlers } from './fake-server.ts'

const SERVED = ['gpt-4o-mini', 'gpt-5', 'gpt-5-high', 'claude-sonnet-4-5', 'dall-e-3', 'house-model']
/** Of the last days. */
const USES = [
  { model: 'gpt-5', users: 3, calls: 1200, charged: 150_000_000, input: 1e8, cached: 0, written: 0, output: 25e6 / 10 },
  { model: 'gpt-5-high', users: 2, calls: 40, charged: 47_500_000, input: 3e7, cached: 0, written: 0, output: 8e5 },
]

export function samplePrices() {
  const defaults = defaultSettings()
  let settings: Settings = defaults
  let last = 10
  const history: Record<string, unknown>[] = []
  const row = (of: PriceKey) => buildPriceRow(of, settings, defaults, (model) => SERVED.includes(model))
  const linesOf = (model: string, fields: PriceFields | null) => {
    const price = buildCallPrice(model, fields, settings)
    return price ? [...listModelPrices(price, getModelKind(model))] : []
  }
  const put = (of: PriceKey, price: PriceFields | null, source: string) => {
    const from = findStoredPrice(of, settings)
    const texts = setStoredPrices([{ ...of, price }], settings)
    settings = { ...settings, ...Object.fromEntries(texts.map(({ key, value }) => [key, JSON.parse(value)])) }
    const change = { ...of, source, from, to: price, was: linesOf(of.model, from), became: linesOf(of.model, price) }
    history.unshift({ id: ++last, created_at: 1_790_000_000 + last, user_id: 1, username: 'root', ...change })
    return row(of)
  }
  const shown = (model: string, after: Settings) => {
    const { now, there, ...rest } = previewModelPrice(model, settings, after)
    const lines = (tables: Settings) => {
      const price = findPrice(model, tables, false)
      return price ? [...listModelPrices(price, getModelKind(model))] : []
    }
    const use = USES.find((each) => each.model === model)
    const bills = estimateBills(use, { now, there }, settings.QuotaPerUnit)
    const facts = compareFacts(model, undefined, settings)
    return { model, ...rest, served: true, now: lines(settings), there: lines(after), ...facts, ...bills }
  }
  const preview = ({ changes }: Record<string, unknown>) => {
    // As a catalogue would say it: one model dearer, one unknown until now, the others the same.
    const catalogue = [
      { model: 'gpt-5', usd: { input: 2.5, output: 20 } },
      { model: 'house-model', usd: { input: 1, output: 2 } },
      { model: 'gpt-4o-mini', usd: {}, price: findStoredPrice({ channel: '', model: 'gpt-4o-mini' }, settings) },
    ].map(({ usd, price, model }) => (price ? { model, price } : { model, usd }))
    const asked = (changes ?? catalogue) as { model: string }[]
    const wanted = asked.map((one) => ({
      ...{ channel: '', model: one.model },
      price: buildPriceChange({ channel: '', ...one }, settings),
    }))
    const after = previewPriceTables(wanted, settings)
    const rows = [...new Set([...wanted.map(({ model }) => model), ...SERVED])].map((model) => shown(model, after))
    const data = rows.filter(({ model, status }) => status !== 'same' || wanted.some((one) => one.model === model))
    return { data, beside: { source: changes ? 'own' : 'builtin', shape: changes ? 'own' : 'builtin', skipped: [] } }
  }
  const handlers: Handlers = {
    'prices.list': ({ keyword = '', bought }) => ({
      data: bought
        ? []
        : SERVED.filter((model) => model.includes(String(keyword))).map((model) => row({ channel: '', model })),
    }),
    'prices.missing': () => ({
      data: SERVED.filter((model) => !findPrice(model, settings, false)).map((model) => ({
        ...{ model, served: true, users: 1, calls: 7, charged: 0 },
      })),
    }),
    'prices.history': ({ model }) => {
      const items = history.filter((change) => !model || change['model'] === model)
      return { data: { items, total: items.length, page: 1, page_size: 10 } }
    },
    'prices.preview': preview,
    'prices.set': ({ model, channel = '', version, ...said }) => {
      const of = { model: String(model), channel: String(channel) }
      if (version !== undefined && version !== row(of).version)
        return { refuse: `Prices have changed since you looked: ${of.model}.`, code: 'prices.changed', status: 409 }
      return { data: put(of, buildPriceChange({ ...of, ...said }, settings), 'own') }
    },
    'prices.remove': ({ model }) => ({ data: put({ model: String(model), channel: '' }, null, 'own') }),
    'prices.undo': ({ change }) => {
      const { model, channel, from } = history.find(({ id }) => id === change) as unknown as PriceKey & {
        from: PriceFields | null
      }
      return { data: put({ model, channel }, from, `undo ${String(change)}`) }
    },
    'prices.apply': ({ source, changes }) => ({
      data: (changes as { model: string; price: PriceFields | null }[]).map(({ model, price }) =>
        put({ model, channel: '' }, price, String(source)),
      ),
    }),
  }
  return { handlers, put, row }
}

/** The maps that the table of ratios is made of, as the settings say them. */
export const sampleMaps = () =>
  Object.entries({
    ModelPrice: { 'dall-e-3': 0.04 },
    ModelRatio: { 'gpt-5': 0.625 },
    CompletionRatio: { 'gpt-5': 8 },
  }).map(([key, table]) => ({ key, value: JSON.stringify(table, null, 2) }))
