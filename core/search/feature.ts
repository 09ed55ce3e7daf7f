// A search over all kinds of objects.
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
