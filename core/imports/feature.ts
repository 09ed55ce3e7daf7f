// Moving in: users, keys, channels, prices and history of another product.
import { feature } from '../feature.ts'
import { imports } from './contract.ts'
import { createImportHandlers } from './handlers.ts'
import type { ImportStore } from './store.ts'

export const importsFeature = feature({ contract: imports, handlers: createImportHandlers })

declare module '../ports/storage.ts' {
  interface Within {
    imports: ImportStore
  }
}
