// Moving in: users, keys, channels, prices and history of another product.
import type { Feature } from '../feature.ts'
import { imports } from './contract.ts'
import { createImportHandlers, type ImportPorts } from './handlers.ts'

export const importsFeature: Feature<ImportPorts, typeof imports> = {
  contract: imports,
  handlers: createImportHandlers,
}
