// Groups of users, and their ratios. They are stored as settings, not as rows.
import { feature } from '../feature.ts'
import { groups } from './contract.ts'
import { createGroupHandlers } from './handlers.ts'
import type { GroupUseStore } from './store.ts'

export const groupsFeature = feature({ contract: groups, handlers: createGroupHandlers })

declare module '../ports/storage.ts' {
  interface ChangeStores {
    groupUses: GroupUseStore
  }
}
