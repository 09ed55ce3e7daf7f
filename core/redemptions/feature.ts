// Redemption codes for quota.
import type { Feature } from '../feature.ts'
import { redemptions } from './contract.ts'
import { createRedemptionHandlers, type RedemptionPorts } from './handlers.ts'

export const redemptionsFeature: Feature<RedemptionPorts, typeof redemptions> = {
  contract: redemptions,
  handlers: createRedemptionHandlers,
}
