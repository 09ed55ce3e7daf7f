// What a model costs: the fixed price table first, then the ratio table, then (where allowed) the unset ratio.
import type { Settings } from '../settings/index.ts'
import { familyCompletionRatio } from './completion-family.ts'

/** Ratios are relative to 2 USD per 1M tokens; `model_price` is USD per call. */
export type Price =
  | {
      kind: 'per_usage'
      model_ratio: number
      completion_ratio: number
      cache_ratio: number
      create_cache_ratio: number
    }
  | { kind: 'per_call'; model_price: number }

export type PriceTables = Pick<
  Settings,
  'ModelPrice' | 'ModelRatio' | 'CompletionRatio' | 'CacheRatio' | 'CreateCacheRatio'
>

/** Ratio of models without a price, where a site or a user accepts them: 75 USD per 1M tokens. */
export const UNSET_RATIO = 37.5
const DEFAULT_CREATE_CACHE_RATIO = 1.25

/**
 * The price of a model by its requested name, or null when it has none (billing reference, section 3).
 * `acceptUnset`: self-use mode, or the user takes models without a price.
 */
export function findPrice(model: string, tables: PriceTables, acceptUnset: boolean): Price | null {
  const name = namesToTry(model).find(
    (each) => (own(tables.ModelPrice, each) ?? own(tables.ModelRatio, each)) !== undefined,
  )
  const fixed = name === undefined ? undefined : own(tables.ModelPrice, name)
  if (fixed !== undefined) return { kind: 'per_call', model_price: fixed }
  const ratio = name === undefined ? undefined : own(tables.ModelRatio, name)
  if (ratio === undefined && !acceptUnset) return null
  const key = name ?? model
  return {
    kind: 'per_usage',
    model_ratio: ratio ?? UNSET_RATIO,
    completion_ratio: own(tables.CompletionRatio, key) ?? familyCompletionRatio(key),
    cache_ratio: own(tables.CacheRatio, key) ?? 1,
    create_cache_ratio: own(tables.CreateCacheRatio, key) ?? DEFAULT_CREATE_CACHE_RATIO,
  }
}

/** Names like `constructor` come from callers: only own entries count. */
const own = (table: Record<string, number>, name: string): number | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

const VARIANT = /-(thinking(-\d+)?|nothinking|low|medium|high|xhigh|max)$/
const REGION = /^(us|eu|apac|jp|au|global)\./

/** The exact name first, then without an effort or thinking suffix; families that share one entry are folded. */
function namesToTry(model: string): string[] {
  const folded = model.replace(/^gpt-4(o?)-gizmo.*/, 'gpt-4$1-gizmo-*')
  const names = [model, folded, folded.replace(REGION, '')]
  return [...new Set([...names, ...names.map((name) => name.replace(VARIANT, ''))])]
}
