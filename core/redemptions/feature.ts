// Redemption codes for quota.
import type { Feature } from '../feature.ts'
import { redemptionsContract } from './contract.ts'
import { createRedemptionHandlers, type RedemptionPorts } from './handlers.ts'

export const redemptionsFeature: Feature<RedemptionPorts, typeof redemptionsContract> = {
  contract: redemptionsContract,
  handlers: createRedemptionHandlers,
}
