import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { filterByNumber } from '../contract/filter.ts'
import { pageQueryFields, cursorPageSchema, cursorQueryFields } from '../contract/page.ts'
import { words } from '../errors.ts'
import { auditListOrder, AuditRow } from './audit.ts'

export const auditContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/audit/',
    access: 'admin',
    scope: 'read',
    summary: words('Changes made by users, newest first, with the values before and after'),
    query: z.object({
      ...pageQueryFields,
      ...cursorQueryFields(auditListOrder),
      action: z.string().default(''),
      target: z.string().default(''),
      user_id: filterByNumber,
      username: z.string().default(''),
      start_timestamp: filterByNumber,
      end_timestamp: filterByNumber,
    }),
    reply: cursorPageSchema(AuditRow, auditListOrder),
  }),
}
