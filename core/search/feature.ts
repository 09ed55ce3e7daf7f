// One text, and what it stands for.
import { feature } from '../feature.ts'
import { search } from './contract.ts'
import { createSearchHandlers } from './handlers.ts'
import type { SearchStore } from './store.ts'

export const searchFeature = feature({ contract: search, handlers: createSearchHandlers })

declare module '../ports/storage.ts' {
  interface Storage {
    search: SearchStore
  }
}
