// What models cost: set one by one, compared with a catalogue, and what it was before.
import { feature } from '../feature.ts'
import { prices } from './contract.ts'
import { createPricesHandlers } from './handlers.ts'

export const pricesFeature = feature({ contract: prices, handlers: createPricesHandlers })
