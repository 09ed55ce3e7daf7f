// What the built-in tools of providers cost (web search, file search …), beside the tokens.
import { fit, listedNames } from './pattern.ts'

/**
 * USD per 1000 calls of each tool for one model, from a table of `tool` and `tool:model-prefix*` keys: the longest
 * prefix wins, 0 switches a tool's charge off (docs/billing.md, 4).
 */
export function toolPrices(model: string, table: Record<string, number>): Record<string, number> {
  const names = listedNames(model)
  const best = new Map<string, { length: number; price: number }>()
  for (const [key, price] of Object.entries(table)) {
    const colon = key.indexOf(':')
    const tool = colon < 0 ? key : key.slice(0, colon)
    const length = colon < 0 ? 0 : fit(key.slice(colon + 1), names)
    if (length > (best.get(tool)?.length ?? -1)) best.set(tool, { length, price })
  }
  return Object.fromEntries([...best].filter(([, { price }]) => price > 0).map(([tool, { price }]) => [tool, price]))
}

/** USD per 1000 calls; `tool/detail/…` falls back to the plain tool. 0 where there is no price. */
export function toolPrice(tool: string, prices: Record<string, number>): number {
  if (Object.hasOwn(prices, tool)) return prices[tool] ?? 0
  const plain = tool.split('/', 1)[0] ?? tool
  return Object.hasOwn(prices, plain) ? (prices[plain] ?? 0) : 0
}

const SEARCHES = /search-preview(-\d{4}-\d\d-\d\d)?$/

/** Tools that a model calls once per request because of what it is: the search models of the chat endpoint. */
export const callsOfModel = (model: string): Record<string, number> | undefined =>
  model.includes('search-preview') && SEARCHES.test(model) ? { web_search_preview: 1 } : undefined
