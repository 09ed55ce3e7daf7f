// Moving in: users, keys, channels, prices and history of another product.
import type { Feature } from '../feature.ts'
import { importsContract } from './contract.ts'
import { createImportHandlers, type ImportPorts } from './handlers.ts'

export const importsFeature: Feature<ImportPorts, typeof importsContract> = {
  contract: importsContract,
  handlers: createImportHandlers,
}
