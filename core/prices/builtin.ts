// The built-in catalogue: the vendors' prices of their own models, from the data file of facts.
import { findModelFacts, listVendorOffers } from '../models/model-facts.ts'
import { parseCatalogueEntries, type PriceCatalogue } from './catalogue.ts'
import { priceOfDollars } from './dollars.ts'

/** Without tiers, which are in the settings by families of models. */
export function buildBuiltinCatalogue(): PriceCatalogue {
  const { date, offers } = listVendorOffers()
  return {
    shape: 'builtin',
    ...parseCatalogueEntries(
      offers.map((offer) => [offer.model, offer] as const),
      (model, { vendor, usd }) => {
        const { context = 0, output: longest = 0, reads = [], writes = [], kind } = findModelFacts(model) ?? {}
        return { price: priceOfDollars(usd), provider: vendor, date, context, longest, reads, writes, kind }
      },
    ),
  }
}
