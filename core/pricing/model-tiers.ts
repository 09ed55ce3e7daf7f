// The price tiers of one model, found in the operator's table.
import { fixed } from '../derived.ts'
import type { Factor, PriceTiers, Tiers } from '../settings/price-tiers.ts'
import { bestFit, listedNames } from './pattern.ts'

/** The tiers of one model: of each kind those of the longest pattern that has any; undefined where there are none. */
export function priceTiersOf(model: string, table: PriceTiers): Tiers | undefined {
  const names = listedNames(model)
  const prompt = bestFit(table, names, (each) => each.prompt)
  const time = bestFit(table, names, (each) => each.time)
  const cache = bestFit(table, names, (each) => each.cache)
  const service: Record<string, Factor> = {}
  // Each service tier by itself: a model that has its own `priority` still has everybody's `batch`.
  for (const tier of new Set(Object.values(table).flatMap((each) => Object.keys(each.service ?? {})))) {
    const factor = bestFit(table, names, ({ service: each }) =>
      each && Object.hasOwn(each, tier) ? each[tier] : undefined,
    )
    if (factor !== undefined) service[tier] = factor
  }
  const tiers: Tiers = {
    ...(prompt?.length ? { prompt } : {}),
    ...(time?.length ? { time } : {}),
    ...(cache ? { cache } : {}),
    ...(Object.keys(service).length > 0 ? { service } : {}),
  }
  return Object.keys(tiers).length > 0 ? fixed(tiers) : undefined
}
