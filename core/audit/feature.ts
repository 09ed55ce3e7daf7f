// The audit of changes by administrators.
import { feature } from '../feature.ts'
import { audit } from './contract.ts'
import { createAuditHandlers } from './handlers.ts'

export const auditFeature = feature({ contract: audit, handlers: createAuditHandlers })
