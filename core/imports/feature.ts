// Moving in: users, keys, channels, prices and history of another product.
import { feature } from '../feature.ts'
import { imports } from './contract.ts'
import { createImportHandlers } from './handlers.ts'

export const importsFeature = feature({ contract: imports, handlers: createImportHandlers })
