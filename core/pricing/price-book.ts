// The selling and purchase prices of one snapshot of the settings, each computed on first use. A book lives as long as
// its snapshot; a price's rates, version and texts live as long as the price.
import { memoize } from '../memoize.ts'
import type { PurchasePrice } from '../settings/channel-price.ts'
import type { PriceTableSettings } from './price-names.ts'
import { findListedPrice, completePurchasePrice, getUnsetPrice, type Price } from './price.ts'

/**
 * Maximum number of cached prices. Only names with a price are cached, so clients cannot fill the cache with invented
 * names.
 */
const MOST_PRICES = 5000

export class PriceBook {
  private readonly tables: PriceTableSettings
  private readonly sold = new Map<string, Price>()
  private readonly bought = new Map<string, Price>()

  constructor(tables: PriceTableSettings) {
    this.tables = tables
  }

  /** Returns the selling price of a model; null if none is set. */
  priceOf(model: string): Price | null {
    const known = this.sold.get(model)
    if (known) return known
    const price = findListedPrice(model, this.tables)
    return price && cachePrice(this.sold, model, price)
  }

  /** The same for who takes models without a price, too. */
  priceOrUnset(model: string): Price {
    return this.priceOf(model) ?? Object.freeze(getUnsetPrice(model, this.tables))
  }

  /** Returns the purchase price of a model on a kind of channel. @param given the purchase price set there */
  purchasePrice(channel: string, model: string, given: PurchasePrice): Price {
    const name = `${channel} ${model}`
    return this.bought.get(name) ?? cachePrice(this.bought, name, completePurchasePrice(model, given, this.tables))
  }
}

function cachePrice(prices: Map<string, Price>, name: string, price: Price): Price {
  const whole = Object.freeze(price)
  if (prices.size < MOST_PRICES) prices.set(name, whole)
  return whole
}

/** Returns the book of a snapshot of the settings. */
export const getPriceBook = memoize((settings: PriceTableSettings) => new PriceBook(settings))

/**
 * Returns the price of a model by the name that channels list; null if it has none (docs/billing.md, 3). `acceptUnset`:
 * self-use mode, or the user accepts models without a price.
 */
export const findPrice = (model: string, settings: PriceTableSettings, acceptUnset: boolean): Price | null => {
  const book = getPriceBook(settings)
  return acceptUnset ? book.priceOrUnset(model) : book.priceOf(model)
}
