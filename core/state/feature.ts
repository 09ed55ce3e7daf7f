// The whole configuration as a file: out, planned, applied, and what it owns.
import { feature } from '../feature.ts'
import { state } from './contract.ts'
import { createStateHandlers } from './handlers.ts'
import type { ManagedStore } from './managed.ts'

export const stateFeature = feature({ contract: state, handlers: createStateHandlers })

declare module '../ports/storage.ts' {
  interface ChangeStores {
    managed: ManagedStore
  }
}
