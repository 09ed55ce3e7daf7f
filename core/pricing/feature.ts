// Prices of models; they are settings, and have no store.
import type { Feature } from '../feature.ts'
import { pricingContract } from './contract.ts'
import { createPricingHandlers, type PricingPorts } from './handlers.ts'

export const pricingFeature: Feature<PricingPorts, typeof pricingContract> = {
  contract: pricingContract,
  handlers: createPricingHandlers,
}
