// The audit of changes by administrators.
import type { Feature } from '../feature.ts'
import { auditContract } from './contract.ts'
import type { ContractHandlers } from '../auth/caller.ts'
import { asWalkedPage, resolveCursor, sliceFromOne } from '../contract/page.ts'
import type { Storage } from '../ports/storage.ts'
import { auditListOrder } from './audit.ts'

interface AuditPorts {
  storage: Pick<Storage, 'audit'>
}

const createAuditHandlers = ({ storage }: AuditPorts): ContractHandlers<typeof auditContract> => ({
  async list({ p, page_size, sort, cursor, totals, ...filter }) {
    const way = resolveCursor(auditListOrder, { sort, cursor, totals }, sliceFromOne({ p, page_size }), filter)
    return asWalkedPage({ p, page_size }, way, await storage.audit.list(filter, way.slice))
  },
})

export const auditFeature: Feature<AuditPorts, typeof auditContract> = {
  contract: auditContract,
  handlers: createAuditHandlers,
}
