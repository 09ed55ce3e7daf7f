import { z } from 'zod'
import { QuotaAmount, queryFlag } from '../contract/filter.ts'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { pageQueryFields, cursorPageSchema, cursorQueryFields } from '../contract/page.ts'
import { RemarkText } from '../contract/remark.ts'
import { ReadVersion } from '../contract/version.ts'
import { words } from '../errors.ts'
import { RedemptionCode, redemptionListOrder } from './redemption.ts'
import { redemptionFields } from './redemption-fields.data.ts'

const id = z.object({ id: z.coerce.number().int() })
const quota = QuotaAmount.min(1)
const expired_time = z.number().int().min(0)

/** New codes. Name and count are checked by the handler, with the message of the specification. */
export const RedemptionForm = z.object(
  declareShapeFields(redemptionFields, {
    name: z.string().default(''),
    quota: quota.default(100_000),
    count: z.number().default(1),
    expired_time: expired_time.default(0),
    remark: RemarkText.default(''),
  }),
)

/** All fields of a code, with the number that only creation takes. */
const RedemptionRow = RedemptionCode.extend({ count: z.number() })

export const redemptionsContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/redemption/',
    access: 'admin',
    scope: 'all',
    summary: words('Redemption codes, newest first'),
    query: z.object({ ...pageQueryFields, ...cursorQueryFields(redemptionListOrder) }),
    reply: cursorPageSchema(RedemptionCode, redemptionListOrder),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/redemption/search',
    access: 'admin',
    scope: 'all',
    summary: words('Redemption codes by id, by how the name begins, or by a part of the remark'),
    query: z.object({ ...pageQueryFields, ...cursorQueryFields(redemptionListOrder), keyword: z.string().default('') }),
    reply: cursorPageSchema(RedemptionCode, redemptionListOrder),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/redemption/{id}',
    access: 'admin',
    scope: 'all',
    summary: words('One redemption code'),
    params: id,
    reply: RedemptionCode,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/redemption/',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words('Create redemption codes, at most 100 at once; returns the keys, and the codes with their ids'),
    row: RedemptionRow,
    body: RedemptionForm,
    reply: z.array(z.string()),
    replyFields: z.object({ codes: z.array(RedemptionCode) }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/redemption/',
    access: 'admin',
    scope: 'all',
    proof: { when: words('a new amount') },
    summary: words(
      'Change name, quota and expiry of an unused code, or the remark of any; with status_only enable or disable it',
    ),
    row: RedemptionRow,
    query: z.object({ status_only: queryFlag }),
    body: z.object(
      declareShapeFields(redemptionFields, {
        id: z.number().int(),
        name: z.string().optional(),
        quota: quota.optional(),
        expired_time: expired_time.optional(),
        remark: RemarkText.optional(),
        status: z.number().int().optional().catch(undefined),
        version: ReadVersion,
      }),
    ),
    reply: RedemptionCode,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/redemption/{id}',
    access: 'admin',
    scope: 'all',
    summary: words('Delete a redemption code'),
    params: id,
    reply: z.null(),
  }),
  redeem: endpoint({
    method: 'POST',
    path: '/api/user/topup',
    access: 'user',
    scope: 'all',
    summary: words('Redeem a code; gives the quota added'),
    limit: 'redemption',
    row: RedemptionRow,
    body: z.object(declareShapeFields(redemptionFields, { key: z.string().default('') })),
    reply: z.number(),
  }),
}
