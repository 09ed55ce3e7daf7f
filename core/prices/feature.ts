// The prices of models: set one by one, compared with a catalogue, and their history.
import type { Feature } from '../feature.ts'
import { pricesContract } from './contract.ts'
import { createPricesHandlers, type PricesPorts } from './handlers.ts'

export const pricesFeature: Feature<PricesPorts, typeof pricesContract> = {
  contract: pricesContract,
  handlers: createPricesHandlers,
}
