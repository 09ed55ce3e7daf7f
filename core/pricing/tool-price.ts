// The prices of the built-in tools of providers (web search, file search …), charged in addition to the tokens.
import { measurePatternFit, listPriceNames } from './pattern.ts'
import { findPreferred, type TableEntry } from './price-names.ts'

/**
 * USD per 1000 calls of each tool for one model, from a table of `tool` and `tool:model-prefix*` keys: the longest
 * prefix wins, 0 switches a tool's charge off (docs/billing.md, 4).
 * @param others further names of the model; `isDefault`: whether an entry came with Weir
 */
export function listToolPrices(
  model: string,
  table: Record<string, number>,
  others: readonly string[] = [],
  isDefault: (key: string) => boolean = () => false,
): Record<string, number> {
  const found = [model, ...others].map((name) => longestPrefixes(listPriceNames(name), table))
  const prices: Record<string, number> = {}
  for (const key of Object.keys(table)) {
    const [tool = key] = key.split(':', 1)
    const price = findPreferred(found, (longest) => longest.get(tool), isDefault)?.value ?? table[tool] ?? 0
    if (price > 0) prices[tool] = price
  }
  return prices
}

/** Returns the entry of the longest matching prefix for each tool. */
function longestPrefixes(names: readonly string[], table: Record<string, number>): Map<string, TableEntry<number>> {
  const best = new Map<string, TableEntry<number> & { length: number }>()
  for (const [key, value] of Object.entries(table)) {
    const colon = key.indexOf(':')
    if (colon < 0) continue
    const tool = key.slice(0, colon)
    const length = measurePatternFit(key.slice(colon + 1), names)
    if (length > (best.get(tool)?.length ?? -1)) best.set(tool, { length, key, value })
  }
  return best
}

/** Returns USD per 1000 calls; `tool/detail/…` falls back to the plain tool. 0 if there is no price. */
export function findToolPrice(tool: string, prices: Record<string, number>): number {
  if (Object.hasOwn(prices, tool)) return prices[tool] ?? 0
  const plain = tool.split('/', 1)[0] ?? tool
  return Object.hasOwn(prices, plain) ? (prices[plain] ?? 0) : 0
}

const SEARCHES = /search-preview(-\d{4}-\d\d-\d\d)?$/

/** Tools that a model calls once per request because of what it is: the search models of the chat endpoint. */
export const getModelToolCalls = (model: string): Record<string, number> | undefined =>
  model.includes('search-preview') && SEARCHES.test(model) ? { web_search_preview: 1 } : undefined
