// The price tiers of one model, found in the operator's table.
import type { TierFactorSetting, PriceTiers, PriceTierRules } from '../settings/price-tiers.ts'
import { findBestFittingEntry, listPriceNames } from './pattern.ts'
import { findPreferred } from './price-names.ts'

/**
 * The tiers of one model: of each kind those of the longest pattern that has any; undefined if there are none.
 * @param others further names of the model; `isDefault`: whether an entry came with Weir
 */
export function findPriceTiers(
  model: string,
  table: PriceTiers,
  others: readonly string[] = [],
  isDefault: (key: string) => boolean = () => false,
): PriceTierRules | undefined {
  const names = [model, ...others].map(listPriceNames)
  const find = <T>(take: (tiers: PriceTiers[string]) => T | undefined): T | undefined =>
    findPreferred(names, (each) => findBestFittingEntry(table, each, take), isDefault)?.value
  const prompt = find((each) => each.prompt)
  const time = find((each) => each.time)
  const cache = find((each) => each.cache)
  const service: Record<string, TierFactorSetting> = {}
  // Each service tier separately: a model with its own `priority` still has the general `batch`.
  for (const tier of new Set(Object.values(table).flatMap((each) => Object.keys(each.service ?? {})))) {
    const factor = find(({ service: each }) => (each && Object.hasOwn(each, tier) ? each[tier] : undefined))
    if (factor !== undefined) service[tier] = factor
  }
  const tiers: PriceTierRules = {
    ...(prompt?.length ? { prompt } : {}),
    ...(time?.length ? { time } : {}),
    ...(cache ? { cache } : {}),
    ...(Object.keys(service).length > 0 ? { service } : {}),
  }
  return Object.keys(tiers).length > 0 ? Object.freeze(tiers) : undefined
}
