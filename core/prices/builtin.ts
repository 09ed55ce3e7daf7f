// The catalogue that comes with Weir.
import { withoutUndefined } from '../dialects/json-value.ts'
import { factsOf } from '../models/model-facts.ts'
import { makersOffers } from './builtin.data.ts'
import { entriesOf, type Catalogue } from './catalogue.ts'
import { priceOfDollars, type Dollars } from './dollars.ts'

export function builtinCatalogue(): Catalogue {
  const offers = makersOffers.flatMap(({ provider, date, offers: all }) =>
    all.map(([model, first, output, cache_read, cache_write]) => {
      const dollars: Dollars =
        typeof first === 'object' ? first : withoutUndefined({ input: first, output, cache_read, cache_write })
      return [model, { provider, date, dollars }] as const
    }),
  )
  return {
    shape: 'builtin',
    ...entriesOf(offers, (model, { provider, date, dollars }) => {
      const { context = 0, output: longest = 0 } = factsOf(model) ?? {}
      return { price: priceOfDollars(dollars), provider, date, context, longest, reads: [], writes: [] }
    }),
  }
}
