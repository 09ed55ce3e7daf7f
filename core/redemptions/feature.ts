// Redemption codes for quota.
import { feature } from '../feature.ts'
import { redemptions } from './contract.ts'
import { createRedemptionHandlers } from './handlers.ts'

export const redemptionsFeature = feature({ contract: redemptions, handlers: createRedemptionHandlers })
