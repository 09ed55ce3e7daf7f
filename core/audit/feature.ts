// The audit of changes by administrators.
import { feature } from '../feature.ts'
import { audit } from './contract.ts'
import { createAuditHandlers } from './handlers.ts'
import type { AuditStore, AuditWriter } from './store.ts'

export const auditFeature = feature({ contract: audit, handlers: createAuditHandlers })

declare module '../ports/storage.ts' {
  interface Within {
    audit: AuditWriter
  }
  interface Storage {
    audit: AuditStore
  }
}
