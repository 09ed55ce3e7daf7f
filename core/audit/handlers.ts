// The audit endpoint.
import type { Handlers } from '../auth/handler.ts'
import { asPage, sliceFromOne } from '../contract/page.ts'
import type { Storage } from '../ports/storage.ts'
import type { audit } from './contract.ts'

export const createAuditHandlers = ({ storage }: { storage: Storage }): Handlers<typeof audit> => ({
  list: async ({ p, page_size, ...filter }) =>
    asPage({ p, page_size }, await storage.audit.list(filter, sliceFromOne({ p, page_size }))),
})
