// Stores the prices of another product as it charged them: each model's whole price is merged from the options that
// state a part of it.
import type { ChangeAuthor } from '../audit/audit.ts'
import { fillTemplate, joinList, words, type Words } from '../errors.ts'
import { formatPriceText } from '../pricing/display.ts'
import { findPriceTiers } from '../pricing/model-tiers.ts'
import { findPrice } from '../pricing/price-book.ts'
import { hashVersion } from '../pricing/price-version.ts'
import { PriceFields } from '../settings/channel-price.ts'
import type { Settings } from '../settings/index.ts'
import { defaultSettings, type SettingChange, type SettingsSnapshot } from '../settings/snapshot.ts'
import { findStoredPrice, setStoredPrices } from '../settings/stored-price.ts'
import type { ImportProduct, ImportedOption, ImportedPrice } from './imported-rows.ts'
import { DEFAULT_CURRENCY_UNITS, toOwnRatio } from './built-in-prices.ts'
import { type ImportPass, listUnknownRows } from './pass.ts'
import { joinNoteWords } from './report.ts'

// The price of a model as a sentence of the report, without the ratio of a group.

/** USD for 1M tokens at ratio 1. */
const USD_PER_RATIO = 2

/** @param price undefined parts are left out; null if calls are refused for want of a price */
function describeImportedPrice(price: PriceFields | null): Words {
  if (price === null) return words('no price, calls are refused')
  const { model_price, model_ratio = 0, completion_ratio = 1, cache_ratio = 1, create_cache_ratio } = price
  if (model_price !== undefined)
    return fillTemplate(words('{model_price} per call'), { model_price: formatPriceText(model_price) })
  const usd = (factor: number) => formatPriceText(model_ratio * USD_PER_RATIO * factor)
  const writes = create_cache_ratio === undefined ? undefined : usd(create_cache_ratio)
  return fillTemplate(words('{usd} in, {completion_ratio} out per 1M tokens (cached {cache_ratio}{writes})'), {
    usd: usd(1),
    completion_ratio: usd(completion_ratio),
    cache_ratio: usd(cache_ratio),
    writes: writes ? fillTemplate(words(', cache writes {writes}'), { writes }) : '',
  })
}

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

export const PRICE_OPTION_KEYS: ReadonlySet<string> = new Set(Object.keys(PARTS))

/** Products that know no price by the call: what has a ratio there is charged by it. */
const ONLY_RATIOS: readonly ImportProduct[] = ['one-api']

/** @param rows those whose texts have been found to be good */
export function collectImportedPrices(
  product: ImportProduct,
  rows: readonly ImportedOption[],
  { settings, units, priced }: { settings: Settings; units: number; priced: ReadonlySet<string> },
): SettingChange[] {
  const tables = new Map(
    rows.map((row) => [row.key as keyof typeof PARTS, { row, table: JSON.parse(row.value) as Record<string, number> }]),
  )
  const models = new Set([...tables.values()].flatMap(({ table }) => Object.keys(table)))
  const defaults = defaultSettings()
  const unchanged: string[] = []
  const newPrices = [...models].flatMap((model) => {
    if (priced.has(model)) return []
    const of = { channel: '', model }
    const [here, built] = [findStoredPrice(of, settings), findStoredPrice(of, defaults)]
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
      else price[part] = key === 'ModelRatio' ? toOwnRatio(value, units) : value
    }
    return [{ ...of, price: PriceFields.parse(price) }]
  })
  if (unchanged.length > 0)
    for (const { row, table } of tables.values()) {
      const own = unchanged.filter((model) => Object.hasOwn(table, model))
      if (own.length > 0)
        row.notes.push(fillTemplate(words('these have a price here, which stays: {own}'), { own: joinList(own) }))
    }
  if (units !== DEFAULT_CURRENCY_UNITS)
    tables.get('ModelRatio')?.row.notes.push(
      fillTemplate(words('a unit was {units} there: ratios are counted for {usualUnits}, so that charges stay'), {
        units,
        usualUnits: DEFAULT_CURRENCY_UNITS,
      }),
    )
  return setStoredPrices(newPrices, settings)
}

interface PriceDestination {
  snapshot: Pick<SettingsSnapshot, 'changeWithin'>
  author: ChangeAuthor
  product: ImportProduct
  /** The settings before the import. */
  settings: Settings
}

/**
 * Stores the prices that one row states completely, and reports for each model what was charged at the source and what
 * is charged here. A model that already has a price in Weir keeps it.
 *
 * @param models those of the imported channels, which are reported even if the source states no price for them
 */
export async function placeImportedPrices(
  pass: ImportPass,
  { snapshot, author, product, settings }: PriceDestination,
  rows: readonly ImportedPrice[],
  models: readonly string[],
): Promise<void> {
  const defaults = defaultSettings()
  const seen = new Set<string>()
  // Several channels of one model have the same price; the first one counts.
  const distinct = rows.filter(({ id }) => !seen.has(id) && seen.add(id))
  const fresh = listUnknownRows(pass, distinct)
  const hasOwnPrice = (model: string) => {
    const of = { channel: '', model }
    const here = findStoredPrice(of, settings)
    return here !== null && hashVersion(here) !== hashVersion(findStoredPrice(of, defaults))
  }
  const stated = new Map(
    fresh.flatMap((row) => {
      const price = row.price === '' ? undefined : PriceFields.safeParse(JSON.parse(row.price)).data
      return price ? [[row, price] as const] : []
    }),
  )
  const placed = new Map([...stated].filter(([row]) => !hasOwnPrice(row.name)))
  let after = settings
  const changes = (current: Settings) => {
    const changed = buildPriceChanges(placed, current)
    after = withChanges(current, changed)
    return changed
  }
  if (fresh.length > 0 || models.length > 0)
    await snapshot.changeWithin(pass.within, changes, author, `import ${product}`)
  const describeHere = (model: string) => describeImportedPrice(findPrice(model, after, after.SelfUseModeEnabled))
  for (const row of fresh) {
    const price = stated.get(row)
    const there = describeImportedPrice(price ?? null)
    const figures = compareTexts(there, describeHere(row.name))
    if (!placed.has(row)) {
      const why = price ? [figures, words('it has a price here, which stays')] : [figures]
      pass.report.left(row, joinNoteWords([...why, ...row.notes]))
      continue
    }
    pass.fresh.push({ kind: row.kind, foreign_id: row.id, our_id: 0 })
    pass.report.described(row, row.notes.length > 0 ? 'changed' : 'came', joinNoteWords([figures, ...row.notes]))
  }
  for (const model of models.filter((name) => !seen.has(name) && !name.includes('*')))
    pass.report.remark({ kind: 'price', id: model, name: model }, 'left', compareTexts(UNKNOWN, describeHere(model)))
}

const UNKNOWN = words('not stated by the source')

const compareTexts = (there: Words, here: Words): Words =>
  fillTemplate(words('charged there: {there}; charged here: {here}'), { there, here })

/** The tiers of a price that has none. */
const FLAT: PriceFields['tiers'] = { prompt: [], time: [] }

/**
 * Returns the changes that make these prices count. A price without tiers has none, even if a pattern of Weir would give
 * it some. If another name of the model would win over it, because it equals the built-in price, its tiers are set as
 * well, which makes it the operator's.
 */
function buildPriceChanges(placed: ReadonlyMap<ImportedPrice, PriceFields>, current: Settings): SettingChange[] {
  const build = (isFlat: (model: string) => boolean) =>
    setStoredPrices(
      [...placed].map(([{ name: model }, price]) => {
        const tiers = price.tiers ?? (isFlat(model) ? FLAT : undefined)
        return { channel: '', model, price: { ...price, ...(tiers ? { tiers } : {}) } }
      }),
      current,
    )
  const hasTiers = (model: string) => {
    const { prompt, time } = findPriceTiers(model, current.PriceTiers) ?? {}
    return prompt !== undefined || time !== undefined
  }
  const first = build(hasTiers)
  const after = withChanges(current, first)
  const outvoted = new Set(
    [...placed].flatMap(([{ name: model }, price]) => (counts(price, findPrice(model, after, false)) ? [] : [model])),
  )
  return outvoted.size === 0 ? first : build((model) => hasTiers(model) || outvoted.has(model))
}

/** Is each stated part of the price the one that is charged? */
const counts = (stated: PriceFields, charged: Readonly<Partial<PriceFields>> | null): boolean =>
  charged !== null &&
  (Object.keys(stated) as (keyof PriceFields)[]).every(
    (part) => typeof stated[part] !== 'number' || stated[part] === charged[part],
  )

function withChanges(current: Settings, changes: readonly SettingChange[]): Settings {
  const tables = changes.flatMap(({ key, value }) => (value === null ? [] : [[key, JSON.parse(value) as unknown]]))
  return Object.freeze({ ...current, ...(Object.fromEntries(tables) as Partial<Settings>) })
}

const findPart = (
  tables: ReadonlyMap<keyof typeof PARTS, { table: Record<string, number> }>,
  key: keyof typeof PARTS,
  model: string,
): number | undefined => {
  const table = tables.get(key)?.table
  return table && Object.hasOwn(table, model) ? table[model] : undefined
}
