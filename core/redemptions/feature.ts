// Redemption codes for quota.
import { feature } from '../feature.ts'
import { redemptions } from './contract.ts'
import { createRedemptionHandlers } from './handlers.ts'
import type { RedemptionStore } from './store.ts'

export const redemptionsFeature = feature({ contract: redemptions, handlers: createRedemptionHandlers })

declare module '../ports/storage.ts' {
  interface ChangeStores {
    redemptions: RedemptionStore
  }
}
