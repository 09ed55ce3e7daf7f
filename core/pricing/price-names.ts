// The names under which the price tables know one model: the one that channels list it by, then its others. An entry of
// the operator under any of them wins over a built-in one, and of two the one under the listed name.
import { memoize } from '../memoize.ts'
import { hasDrawingMode, toPlainModelName, listSameModels } from '../models/same-model.ts'
import { pricingSettings } from '../settings/pricing.ts'
import type { Settings } from '../settings/index.ts'
import { PRICE_PART_LIST, type PriceTable } from '../settings/price-parts.ts'

type NeededTable = 'ModelPrice' | 'ModelRatio' | 'CompletionRatio' | 'CacheRatio' | 'CreateCacheRatio'

export type PriceTableSettings = Pick<Settings, NeededTable> &
  Partial<Pick<Settings, Exclude<PriceTable, NeededTable> | 'ToolPrice' | 'ImageMultiplier' | 'PriceTiers'>>

/** The tables that hold something under a model's name. */
const NAMED_TABLES = [...PRICE_PART_LIST.map(({ table }) => table), 'ImageMultiplier', 'PriceTiers'] as const

/** An entry of a table with its key. */
export interface TableEntry<T> {
  key: string
  value: T
}

/**
 * Returns the other names of the model with an entry in the tables, best first. The mode of a drawing has a separate
 * price.
 */
export function listOtherPricedNames(model: string, tables: PriceTableSettings): string[] {
  const plain = toPlainModelName(model)
  // Nearly all of a thousand names are of other models: the beginning is compared before they are taken apart.
  const names = getNames(tables).filter((name) => name !== model && name.startsWith(plain))
  return listSameModels(model, names).filter((name) => !hasDrawingMode(name))
}

const getNames = memoize(collectNames)

function collectNames(tables: PriceTableSettings): string[] {
  const names = NAMED_TABLES.flatMap((table) => Object.keys(tables[table] ?? {}))
  const tools = Object.keys(tables.ToolPrice ?? {}).map((key) => key.slice(key.indexOf(':') + 1))
  return [...new Set([...names, ...tools])].filter((name) => !name.endsWith('*'))
}

/**
 * Is the entry the built-in one, unchanged by any operator? All entries of a name whose tiers an operator has set are
 * the operator's: they may equal the built-in ones, and win over other names of the model all the same.
 */
export function isBuiltIn(table: keyof PriceTableSettings, key: string, tables: PriceTableSettings): boolean {
  return (
    isUnchanged(table, key, tables) &&
    (!Object.hasOwn(tables.PriceTiers ?? {}, key) || isUnchanged('PriceTiers', key, tables))
  )
}

function isUnchanged(table: keyof PriceTableSettings, key: string, tables: PriceTableSettings): boolean {
  const builtIn: Record<string, unknown> = pricingSettings[table].value.default
  const current: Record<string, unknown> = tables[table] ?? {}
  return Object.hasOwn(builtIn, key) && JSON.stringify(builtIn[key]) === JSON.stringify(current[key])
}

/** Finds the first entry that an operator has set, else the first built-in one. */
export function findPreferred<Name, T>(
  names: readonly Name[],
  find: (name: Name) => TableEntry<T> | undefined,
  isDefault: (key: string) => boolean,
): TableEntry<T> | undefined {
  let builtIn: TableEntry<T> | undefined
  for (const name of names) {
    const entry = find(name)
    if (!entry) continue
    if (!isDefault(entry.key)) return entry
    builtIn ??= entry
  }
  return builtIn
}
