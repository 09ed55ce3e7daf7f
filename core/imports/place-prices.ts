// Stores the prices of another product as it charged them: each model's whole price is merged from the options that
// state a part of it.
import { Decimal } from 'decimal.js'
import { words } from '../errors.ts'
import { hashVersion } from '../pricing/price-version.ts'
import { PriceFields } from '../settings/channel-price.ts'
import type { Settings } from '../settings/index.ts'
import { defaultSettings, type SettingChange, type SettingsSnapshot } from '../settings/snapshot.ts'
import { storedPrice, withPrices } from '../settings/stored-price.ts'
import type { Author } from '../audit/audit.ts'
import type { ImportProduct, OptionArrival, PriceArrival } from './arrival.ts'
import { recordArrival, unknownRows, type ImportPass } from './pass.ts'

/** The part of a price that each option states. */
const PARTS = {
  ModelPrice: 'model_price',
  ModelRatio: 'model_ratio',
  CompletionRatio: 'completion_ratio',
  CacheRatio: 'cache_ratio',
  CreateCacheRatio: 'create_cache_ratio',
  AudioRatio: 'audio_ratio',
  AudioCompletionRatio: 'audio_completion_ratio',
  ImageRatio: 'image_ratio',
} as const satisfies Record<string, keyof PriceFields>

export const PRICE_OPTIONS: ReadonlySet<string> = new Set(Object.keys(PARTS))

/** Units of the currency for 1,000,000 tokens at ratio 1, which was one quota unit per token. */
const USUAL_UNITS = 500_000

/** Products that know no price by the call: what has a ratio there is charged by it. */
const ONLY_RATIOS: readonly ImportProduct[] = ['one-api']

/** @param rows those whose texts have been found to be good */
export function collectPrices(
  product: ImportProduct,
  rows: readonly OptionArrival[],
  { settings, units }: { settings: Settings; units: number },
): SettingChange[] {
  const tables = new Map(
    rows.map((row) => [row.key as keyof typeof PARTS, { row, table: JSON.parse(row.value) as Record<string, number> }]),
  )
  const models = new Set([...tables.values()].flatMap(({ table }) => Object.keys(table)))
  const defaults = defaultSettings()
  const unchanged: string[] = []
  const newPrices = [...models].flatMap((model) => {
    const of = { channel: '', model }
    const [here, built] = [storedPrice(of, settings), storedPrice(of, defaults)]
    if (here && hashVersion(here) !== hashVersion(built)) {
      unchanged.push(model)
      return []
    }
    const price: Record<string, unknown> = { ...here }
    const isPriced = ['ModelPrice', 'ModelRatio'].some(
      (key) => findPart(tables, key as keyof typeof PARTS, model) !== undefined,
    )
    // A price that is flat there has no tiers.
    if (isPriced) delete price.tiers
    if (isPriced && ONLY_RATIOS.includes(product)) delete price.model_price
    for (const [key, part] of Object.entries(PARTS) as [keyof typeof PARTS, keyof PriceFields][]) {
      if (!tables.has(key)) continue
      const value = findPart(tables, key, model)
      if (value === undefined) delete price[part]
      else
        price[part] = key === 'ModelRatio' ? new Decimal(value).times(USUAL_UNITS).dividedBy(units).toNumber() : value
    }
    return [{ ...of, price: PriceFields.parse(price) }]
  })
  if (unchanged.length > 0)
    for (const { row, table } of tables.values()) {
      const own = unchanged.filter((model) => Object.hasOwn(table, model))
      if (own.length > 0)
        row.notes.push(
          words(
            `these have a price here, which stays: ${own.join(', ')}`,
            `以下模型在此已有价格，保持不变：${own.join('、')}`,
          ),
        )
    }
  if (units !== USUAL_UNITS)
    tables
      .get('ModelRatio')
      ?.row.notes.push(
        words(
          `a unit was ${units} there: ratios are counted for ${USUAL_UNITS}, so that charges stay`,
          `原单位价值为 ${units}：倍率按 ${USUAL_UNITS} 换算，扣费不变`,
        ),
      )
  return withPrices(newPrices, settings)
}

/** Stores the prices that one row states completely. A model that already has a price in Weir keeps it. */
export async function placePrices(
  pass: ImportPass,
  {
    snapshot,
    author,
    product,
  }: { snapshot: Pick<SettingsSnapshot, 'changeWithin'>; author: Author; product: ImportProduct },
  rows: readonly PriceArrival[],
): Promise<void> {
  const defaults = defaultSettings()
  const seen = new Set<string>()
  // Several channels of one model have the same price; the first one counts.
  const fresh = unknownRows(
    pass,
    rows.filter(({ id }) => !seen.has(id) && seen.add(id)),
  )
  const work = (current: Settings) =>
    fresh.flatMap((row) => {
      const of = { channel: '', model: row.name }
      const here = storedPrice(of, current)
      const isOwn = here !== null && hashVersion(here) !== hashVersion(storedPrice(of, defaults))
      const price = PriceFields.safeParse(JSON.parse(row.price)).data
      return isOwn || !price ? [] : [{ row, ...of, price }]
    })
  let placed: readonly PriceArrival[] = []
  const changes = (current: Settings) => {
    const newPrices = work(current)
    placed = newPrices.map(({ row }) => row)
    return withPrices(newPrices, current)
  }
  if (fresh.length > 0) await snapshot.changeWithin(pass.within, changes, author, `import ${product}`)
  for (const row of fresh) {
    if (placed.includes(row)) recordArrival(pass, row, 0)
    else pass.report.left(row, words('it has a price here, which stays', '此处已有价格，保持不变'))
  }
}

const findPart = (
  tables: ReadonlyMap<keyof typeof PARTS, { table: Record<string, number> }>,
  key: keyof typeof PARTS,
  model: string,
): number | undefined => {
  const table = tables.get(key)?.table
  return table && Object.hasOwn(table, model) ? table[model] : undefined
}

export function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
