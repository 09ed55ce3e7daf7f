import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { pageOf, pageQuery } from '../contract/page.ts'
import { AuditRow } from './audit.ts'

const number = z.coerce.number().int().catch(0).default(0)

export const audit = {
  list: endpoint({
    method: 'GET',
    path: '/api/audit/',
    access: 'admin',
    summary: 'Changes that people made, newest first, with before and after',
    query: z.object({
      ...pageQuery,
      action: z.string().default(''),
      target: z.string().default(''),
      user_id: number,
      start_timestamp: number,
      end_timestamp: number,
    }),
    reply: pageOf(AuditRow),
  }),
}
