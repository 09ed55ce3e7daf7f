// The audit of changes by administrators.
import type { Feature } from '../feature.ts'
import { audit } from './contract.ts'
import { createAuditHandlers, type AuditPorts } from './handlers.ts'

export const auditFeature: Feature<AuditPorts, typeof audit> = { contract: audit, handlers: createAuditHandlers }
