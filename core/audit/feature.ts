// The audit of changes by administrators.
import type { Feature } from '../feature.ts'
import { auditContract } from './contract.ts'
import { createAuditHandlers, type AuditPorts } from './handlers.ts'

export const auditFeature: Feature<AuditPorts, typeof auditContract> = {
  contract: auditContract,
  handlers: createAuditHandlers,
}
