// Finds the price of a model: first in the table of fixed prices, then in the ratio table, then (if allowed) the ratio
// for unset models.
import type { PurchasePrice } from '../settings/channel-price.ts'
import type { PricePartName, UsagePartName } from '../settings/price-parts.ts'
import { PRICE_PART_LIST, SELLING_PRICE_PARTS } from '../settings/price-parts.ts'
import type { PriceTierRules } from '../settings/price-tiers.ts'
import { findPriceTiers } from './model-tiers.ts'
import { findBestFittingEntry, listPriceNames } from './pattern.ts'
import { findPreferred, isBuiltIn, listOtherPricedNames, type PriceTableSettings } from './price-names.ts'
import { listToolPrices } from './tool-price.ts'

// The completion ratio of models that no table names, by family (docs/billing.md, 6). First match wins.

const rules: [test: RegExp, ratio: number][] = [
  [/^gpt-4o-2024-05-13$/, 3],
  [/^gpt-4o/, 4],
  [/^gpt-4\.5-preview/, 2],
  [/^gpt-4-turbo|^gpt-4-11(05|06)|^gpt-4-0125/, 3],
  [/^gpt-4\.1/, 4],
  [/^gpt-4(?!.*(-all|-gizmo-\*)$)/, 2],
  [/^o[134]/, 4],
  [/^gpt-5\.4-nano/, 6.25],
  [/^gpt-5\./, 6],
  [/^gpt-5/, 8],
  [/^chatgpt-4o-latest$/, 3],
  [/claude-instant-1|claude-2/, 3],
  [/claude-(3|sonnet|opus|haiku)/, 5],
  [/^gpt-3\.5-turbo$|^gpt-3\.5.*0125$/, 3],
  [/^gpt-3\.5.*1106$/, 2],
  [/^gpt-3\.5/, 4 / 3],
  [/^mistral-/, 3],
  [/^gemini-(1\.5|2\.0)/, 4],
  [/^gemini-2\.5-pro/, 8],
  [/^gemini-2\.5-flash-lite/, 4],
  [/^gemini-2\.5-flash/, 2.5 / 0.3],
  [/^gemini-3-pro-image/, 60],
  [/^gemini-3-pro/, 6],
  [/^gemini-/, 4],
  [/^command-r-plus$/, 5],
  [/^command-r$/, 3],
  [/^command/, 4],
  [/^deepseek-(chat|reasoner)/i, 4],
  [/^ERNIE-(Speed-|Lite-|Character|Functions)/, 2],
  [/^llama2-70b-4096$/, 1.25],
  [/^llama3-8b-8192$/, 2],
  [/^llama3-70b-8192$/, 79 / 59],
]

/** Price of output divided by price of input; 1 for unknown families. */
export const getFamilyCompletionRatio = (model: string): number => rules.find(([test]) => test.test(model))?.[1] ?? 1

/** The optional parts of both kinds of price. */
interface Extras {
  /** USD per 1000 calls of each built-in tool. */
  tools?: Record<string, number>
  /** Factors of size and quality on the price of an image: by size, by quality, or by `quality:size` for both. */
  image_multipliers?: Record<string, number>
  tiers?: PriceTierRules
}

/**
 * A price by ratios relative to 2 USD per 1M tokens; `PRICE_PARTS` describes each part. Components have rules for
 * missing parts.
 */
export interface UsagePrice extends Extras, Partial<Record<UsagePartName, number>> {
  kind: 'per_usage'
  model_ratio: number
  completion_ratio: number
  cache_ratio: number
  create_cache_ratio: number
}

/** `model_price` is USD per call, or per image of the plain size. */
export interface CallPrice extends Extras {
  kind: 'per_call'
  model_price: number
}

export type Price = UsagePrice | CallPrice

/** Ratio of models without a price, where a site or a user accepts them: 75 USD per 1M tokens. */
const UNSET_RATIO = 37.5
/** Default factor of input written to a cache against plain input. */
export const DEFAULT_CREATE_CACHE_RATIO = 1.25

/** A model as the tables know it. */
interface PricedModel {
  /** The name with its price: its own, or the one that it is a variant of. */
  name: string
  /** Further names of the same model with an entry in the tables. */
  others: readonly string[]
  /** The one of these names that has the price. */
  sold_as: string
}

/** Undefined where the tables sell the model under none of its names. */
function findPriced(model: string, tables: PriceTableSettings): PricedModel | undefined {
  const models = listModelNameVariants(model).map((name) => ({ name, others: listOtherPricedNames(name, tables) }))
  // A model sold by another unit alone, such as the second, has no ratio.
  for (const parts of [['ModelPrice', 'ModelRatio'] as const, SELLING_PRICE_PARTS.map(({ table }) => table)]) {
    const findTables = (name: string) => parts.filter((table) => own(tables[table], name) !== undefined)
    for (const { name, others } of models) {
      const sold = findPreferred(
        [name, ...others],
        (each) => (findTables(each).length > 0 ? { key: each, value: each } : undefined),
        (each) => findTables(each).every((table) => isBuiltIn(table, each, tables)),
      )
      if (sold) return { name, others, sold_as: sold.value }
    }
  }
  return undefined
}

/** Returns the name with a model's price: its own, or another listed one; undefined if there is none. */
export const findListedName = (model: string, tables: PriceTableSettings): string | undefined =>
  findPriced(model, tables)?.sold_as

/** The price that the tables have of a model; null for none. */
export function findListedPrice(model: string, tables: PriceTableSettings): Price | null {
  const priced = findPriced(model, tables)
  if (priced === undefined) return null
  const fixed = own(tables.ModelPrice, priced.sold_as)
  if (fixed !== undefined) return { kind: 'per_call', model_price: fixed, ...extras(priced, tables) }
  return usagePrice(priced, own(tables.ModelRatio, priced.sold_as) ?? 0, tables)
}

/** Returns the price of a model without one, if such models are allowed. */
export const getUnsetPrice = (model: string, tables: PriceTableSettings): Price =>
  usagePrice(unpriced(model, tables), UNSET_RATIO, tables)

const unpriced = (name: string, tables: PriceTableSettings): Omit<PricedModel, 'sold_as'> => ({
  name,
  others: listOtherPricedNames(name, tables),
})

/** Returns a purchase price. Parts that it leaves out are those of the selling price. */
export function completePurchasePrice(model: string, given: PurchasePrice, tables: PriceTableSettings): Price {
  const priced = findPriced(model, tables) ?? unpriced(model, tables)
  if ('model_price' in given) return { kind: 'per_call', ...extras(priced, tables), ...given }
  const { audio_ratio, ...sold } = usagePrice(priced, given.model_ratio, tables)
  // The ratio wins over the price for audio input, and that of the selling price must not win over a purchase price.
  const ratio = audio_ratio === undefined || given.audio_input_price !== undefined ? {} : { audio_ratio }
  return { ...sold, ...ratio, ...given }
}

/** The names are the keys to all the other tables. */
function usagePrice(
  priced: Pick<PricedModel, 'name' | 'others'>,
  ratio: number,
  tables: PriceTableSettings,
): UsagePrice {
  return {
    kind: 'per_usage',
    completion_ratio: getFamilyCompletionRatio(priced.name),
    cache_ratio: 1,
    create_cache_ratio: DEFAULT_CREATE_CACHE_RATIO,
    ...collectParts(priced, tables),
    model_ratio: ratio,
    ...extras(priced, tables),
  }
}

function collectParts(
  { name, others }: Pick<PricedModel, 'name' | 'others'>,
  tables: PriceTableSettings,
): Partial<Record<UsagePartName, number>> {
  const collected: Partial<Record<PricePartName, number>> = {}
  for (const { name: part, by, table, dollars, unless } of PRICE_PART_LIST) {
    if (by !== 'usage' || (unless !== undefined && unless in collected)) continue
    const find = (each: string) => {
      if (dollars) return findBestFittingEntry(tables[table] ?? {}, listPriceNames(each), (usd) => usd)
      const value = own(tables[table], each)
      return value === undefined ? undefined : { key: each, value }
    }
    const entry = findPreferred([name, ...others], find, (key) => isBuiltIn(table, key, tables))
    if (entry) collected[part] = entry.value
  }
  return collected
}

function extras({ name, others }: Pick<PricedModel, 'name' | 'others'>, tables: PriceTableSettings): Extras {
  const { ToolPrice, ImageMultiplier = {}, PriceTiers } = tables
  const isDefault = (table: keyof PriceTableSettings) => (key: string) => isBuiltIn(table, key, tables)
  const tools = ToolPrice && listToolPrices(name, ToolPrice, others, isDefault('ToolPrice'))
  const images = findPreferred(
    [name, ...others],
    (each) => findBestFittingEntry(ImageMultiplier, listPriceNames(each), (multipliers) => multipliers),
    isDefault('ImageMultiplier'),
  )
  const tiers = PriceTiers && findPriceTiers(name, PriceTiers, others, isDefault('PriceTiers'))
  return {
    ...(tools && Object.keys(tools).length > 0 ? { tools } : {}),
    ...(images ? { image_multipliers: images.value } : {}),
    ...(tiers ? { tiers } : {}),
  }
}

/** Names like `constructor` come from callers: only own entries count. */
const own = (table: Record<string, number> | undefined, name: string): number | undefined =>
  table && Object.hasOwn(table, name) ? table[name] : undefined

const VARIANT = /-(thinking(-\d+)?|nothinking|low|medium|high|xhigh|max)$/
const BUDGET = /^(gemini-2\.5-(?:flash-lite|flash|pro)).*-thinking-\d+$/
const REGION = /^(us|eu|apac|jp|au|global)\./

/** The exact name first, then without an effort or thinking suffix; families that share one entry are folded. */
export function listModelNameVariants(model: string): string[] {
  const folded = model.replace(/^gpt-4(o?)-gizmo.*/, 'gpt-4$1-gizmo-*').replace(BUDGET, '$1-thinking-*')
  const names = [model, folded, model.replace(REGION, '')]
  return [...new Set([...names, ...names.map((name) => name.replace(VARIANT, ''))])]
}
