// The audit endpoint.
import type { ContractHandlers } from '../auth/caller.ts'
import { asWalkedPage, sliceFromOne, resolveCursor } from '../contract/page.ts'
import type { Storage } from '../ports/storage.ts'
import { auditListOrder } from './audit.ts'
import type { auditContract } from './contract.ts'

export interface AuditPorts {
  storage: Pick<Storage, 'audit'>
}

export const createAuditHandlers = ({ storage }: AuditPorts): ContractHandlers<typeof auditContract> => ({
  async list({ p, page_size, sort, cursor, totals, ...filter }) {
    const way = resolveCursor(auditListOrder, { sort, cursor, totals }, sliceFromOne({ p, page_size }), filter)
    return asWalkedPage({ p, page_size }, way, await storage.audit.list(filter, way.slice))
  },
})
