// What a model costs: the fixed price table first, then the ratio table, then (where allowed) the unset ratio.
import type { PurchasePrice } from '../settings/channel-price.ts'
import type { Settings } from '../settings/index.ts'
import {
  PRICE_PART_LIST,
  SELLING_PARTS,
  type PricePartName,
  type PriceTable,
  type UsagePartName,
} from '../settings/price-parts.ts'
import type { Tiers } from '../settings/price-tiers.ts'
import { familyCompletionRatio } from './completion-family.ts'
import { bestFit, listedNames } from './pattern.ts'
import { priceTiersOf } from './model-tiers.ts'
import { toolPrices } from './tool-price.ts'

/** What both kinds of price may have beside their number. */
interface Extras {
  /** USD per 1000 calls of each built-in tool. */
  tools?: Record<string, number>
  /** What size and quality make of the price of an image: by size, by quality, or by `quality:size` for both. */
  image_multipliers?: Record<string, number>
  tiers?: Tiers
}

/**
 * Ratios are relative to 2 USD per 1M tokens; what each part is says `PRICE_PARTS`. Where one is missing the components have their
 * own rule.
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

type NeededTable = 'ModelPrice' | 'ModelRatio' | 'CompletionRatio' | 'CacheRatio' | 'CreateCacheRatio'

export type PriceTables = Pick<Settings, NeededTable> &
  Partial<Pick<Settings, Exclude<PriceTable, NeededTable> | 'ToolPrice' | 'ImageMultiplier' | 'PriceTiers'>>

/** Ratio of models without a price, where a site or a user accepts them: 75 USD per 1M tokens. */
const UNSET_RATIO = 37.5
/** Input written to a cache against plain input, where nobody says. */
export const DEFAULT_CREATE_CACHE_RATIO = 1.25

/** Under which name the tables have a model: its own, or another that it is listed by; undefined where under none. */
export function listedName(model: string, tables: PriceTables): string | undefined {
  const names = namesToTry(model)
  const isListed = (name: string) => Object.hasOwn(tables.ModelPrice, name) || Object.hasOwn(tables.ModelRatio, name)
  // What is sold by something else alone, as by the second, has no ratio.
  const sells = (name: string) => SELLING_PARTS.some(({ table }) => own(tables[table], name) !== undefined)
  return names.find(isListed) ?? names.find(sells)
}

/** The price that the tables have of a model; null for none. */
export function listedPrice(model: string, tables: PriceTables): Price | null {
  const name = listedName(model, tables)
  if (name === undefined) return null
  const fixed = own(tables.ModelPrice, name)
  if (fixed !== undefined) return { kind: 'per_call', model_price: fixed, ...extras(name, tables) }
  return usagePrice(name, own(tables.ModelRatio, name) ?? 0, tables)
}

/** What a model costs that nobody has said a price of, where that is accepted. */
export const unsetPrice = (model: string, tables: PriceTables): Price => usagePrice(model, UNSET_RATIO, tables)

/** A price that is said elsewhere, of what the model costs to buy: what it leaves out is as the model is sold. */
export function priceLike(model: string, given: PurchasePrice, tables: PriceTables): Price {
  const name = listedName(model, tables) ?? model
  if ('model_price' in given) return { kind: 'per_call', ...extras(name, tables), ...given }
  const { audio_ratio, ...sold } = usagePrice(name, given.model_ratio, tables)
  // Where both are said the ratio wins: that of the selling price is not to win over a price that is paid.
  const ratio = audio_ratio === undefined || given.audio_input_price !== undefined ? {} : { audio_ratio }
  return { ...sold, ...ratio, ...given }
}

/** `name` is the one found in a table: it is then the key to all the others. */
function usagePrice(name: string, ratio: number, tables: PriceTables): UsagePrice {
  return {
    kind: 'per_usage',
    completion_ratio: familyCompletionRatio(name),
    cache_ratio: 1,
    create_cache_ratio: DEFAULT_CREATE_CACHE_RATIO,
    ...saidParts(name, tables),
    model_ratio: ratio,
    ...extras(name, tables),
  }
}

function saidParts(name: string, tables: PriceTables): Partial<Record<UsagePartName, number>> {
  const said: Partial<Record<PricePartName, number>> = {}
  for (const { name: part, by, table, dollars, unless } of PRICE_PART_LIST) {
    if (by !== 'usage' || (unless !== undefined && unless in said)) continue
    const value = dollars ? bestFit(tables[table] ?? {}, listedNames(name), (usd) => usd) : own(tables[table], name)
    if (value !== undefined) said[part] = value
  }
  return said
}

function extras(name: string, tables: PriceTables): Extras {
  const tools = tables.ToolPrice && toolPrices(name, tables.ToolPrice)
  const images = bestFit(tables.ImageMultiplier ?? {}, listedNames(name), (multipliers) => multipliers)
  const tiers = tables.PriceTiers && priceTiersOf(name, tables.PriceTiers)
  return {
    ...(tools && Object.keys(tools).length > 0 ? { tools } : {}),
    ...(images ? { image_multipliers: images } : {}),
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
export function namesToTry(model: string): string[] {
  const folded = model.replace(/^gpt-4(o?)-gizmo.*/, 'gpt-4$1-gizmo-*').replace(BUDGET, '$1-thinking-*')
  const names = [model, folded, model.replace(REGION, '')]
  return [...new Set([...names, ...names.map((name) => name.replace(VARIANT, ''))])]
}
