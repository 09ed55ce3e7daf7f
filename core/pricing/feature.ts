// Prices of models; they are settings, and have no store.
import { feature } from '../feature.ts'
import { pricing } from './contract.ts'
import { createPricingHandlers } from './handlers.ts'

export const pricingFeature = feature({ contract: pricing, handlers: createPricingHandlers })
