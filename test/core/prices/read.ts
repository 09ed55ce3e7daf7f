// A list of prices as it is read, and what a model of it costs in dollars.
import { getModelKind } from '../../../core/models/model-facts.ts'
import { buildCallPrice } from '../../../core/prices/merge.ts'
import { readCatalogue } from '../../../core/prices/feature.ts'
import { listModelPrices } from '../../../core/pricing/price-list.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'

/** The tiers of this site are not of what a list says. */
export const bare = { ...defaultSettings(), PriceTiers: {}, ToolPrice: {}, AudioInputPrice: {}, ImageMultiplier: {} }

export const read = (list: unknown, provider?: string) => readCatalogue(JSON.stringify(list), provider)

export function usdOf(list: unknown, model: string, provider?: string) {
  const entry = read(list, provider).entries.find((each) => each.model === model)
  const price = buildCallPrice(model, entry?.price ?? null, bare)
  return (
    price &&
    Object.fromEntries(listModelPrices(price, getModelKind(model)).map(({ component, usd }) => [component, usd]))
  )
}
