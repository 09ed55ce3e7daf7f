import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { filterNumber } from '../contract/filter.ts'
import { pageQuery, cursorPageSchema, walkQuery } from '../contract/page.ts'
import { words } from '../errors.ts'
import { auditList, AuditRow } from './audit.ts'

export const audit = {
  list: endpoint({
    method: 'GET',
    path: '/api/audit/',
    access: 'admin',
    scope: 'read',
    summary: words('Changes that people made, newest first, with before and after'),
    query: z.object({
      ...pageQuery,
      ...walkQuery(auditList),
      action: z.string().default(''),
      target: z.string().default(''),
      user_id: filterNumber,
      username: z.string().default(''),
      start_timestamp: filterNumber,
      end_timestamp: filterNumber,
    }),
    reply: cursorPageSchema(AuditRow, auditList),
  }),
}
