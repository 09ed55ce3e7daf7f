// The prices of models: set one by one, compared with a catalogue, and their history.
import { feature } from '../feature.ts'
import { prices } from './contract.ts'
import { createPricesHandlers } from './handlers.ts'

export const pricesFeature = feature({ contract: prices, handlers: createPricesHandlers })
