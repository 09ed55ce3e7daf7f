// The price of a name that has none: that of the model behind it, which is what the source charged by.
import { fillTemplate, words } from '../errors.ts'
import { findPrice } from '../pricing/price-book.ts'
import { defaultSettings } from '../settings/snapshot.ts'
import { findStoredPrice } from '../settings/stored-price.ts'
import type { ImportedPrice } from './imported-rows.ts'

/**
 * Returns a price for each name without a built-in one, as long as a model behind it has one.
 * @param models names of the model behind them, the best first
 */
export function buildBasePrices(names: readonly string[], models: readonly string[]): ImportedPrice[] {
  const settings = defaultSettings()
  const candidates = models.flatMap((model) => [model, model.slice(model.lastIndexOf('/') + 1)])
  const [base, price] =
    candidates
      .map((model) => [model, findStoredPrice({ channel: '', model }, settings)] as const)
      .find(([, found]) => found?.model_ratio !== undefined || found?.model_price !== undefined) ?? []
  if (base === undefined || !price) return []
  return names
    .filter((name) => name !== base && findPrice(name, settings, false) === null)
    .map((name) => ({
      kind: 'price' as const,
      id: name,
      name,
      notes: [fillTemplate(words('the source names no price: it has that of {base}'), { base })],
      price: JSON.stringify(price),
    }))
}
