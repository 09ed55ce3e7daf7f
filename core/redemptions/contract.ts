import { z } from 'zod'
import { Amount, queryFlag } from '../contract/filter.ts'
import { endpoint } from '../contract/endpoint.ts'
import { declareFields } from '../contract/field.ts'
import { pageQuery, cursorPageSchema, walkQuery } from '../contract/page.ts'
import { Remark } from '../contract/remark.ts'
import { ReadVersion } from '../contract/version.ts'
import { words } from '../errors.ts'
import { Redemption, redemptionList } from './redemption.ts'
import { redemptionFields } from './redemption-fields.data.ts'

const id = z.object({ id: z.coerce.number().int() })
const quota = Amount.min(1)
const expired_time = z.number().int().min(0)

/** New codes. Name and count are checked by the handler, with the message of the specification. */
export const RedemptionForm = z.object(
  declareFields(redemptionFields, {
    name: z.string().default(''),
    quota: quota.default(100_000),
    count: z.number().default(1),
    expired_time: expired_time.default(0),
    remark: Remark.default(''),
  }),
)

/** All fields of a code, with the number that only creation takes. */
const RedemptionRow = Redemption.extend({ count: z.number() })

export const redemptions = {
  list: endpoint({
    method: 'GET',
    path: '/api/redemption/',
    access: 'admin',
    scope: 'all',
    summary: words('Redemption codes, newest first', '兑换码，最新的在前'),
    query: z.object({ ...pageQuery, ...walkQuery(redemptionList) }),
    reply: cursorPageSchema(Redemption, redemptionList),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/redemption/search',
    access: 'admin',
    scope: 'all',
    summary: words(
      'Redemption codes by id, by how the name begins, or by a part of the remark',
      '按编号、名称开头或备注的一部分搜索兑换码',
    ),
    query: z.object({ ...pageQuery, ...walkQuery(redemptionList), keyword: z.string().default('') }),
    reply: cursorPageSchema(Redemption, redemptionList),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/redemption/{id}',
    access: 'admin',
    scope: 'all',
    summary: words('One redemption code', '单个兑换码'),
    params: id,
    reply: Redemption,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/redemption/',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words(
      'Create redemption codes, at most 100 at once: returns the keys, and the codes with their ids',
      '生成兑换码，一次最多 100 个：返回密钥以及带编号的兑换码',
    ),
    row: RedemptionRow,
    body: RedemptionForm,
    reply: z.array(z.string()),
    beside: z.object({ codes: z.array(Redemption) }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/redemption/',
    access: 'admin',
    scope: 'all',
    proof: { when: words('a new amount', '更改金额时') },
    summary: words(
      'Change name, quota and expiry of an unused code, or the remark of any; with status_only enable or disable it',
      '修改未使用兑换码的名称、额度与过期时间，或任一兑换码的备注；status_only 时只启用或禁用',
    ),
    row: RedemptionRow,
    query: z.object({ status_only: queryFlag }),
    body: z.object(
      declareFields(redemptionFields, {
        id: z.number().int(),
        name: z.string().optional(),
        quota: quota.optional(),
        expired_time: expired_time.optional(),
        remark: Remark.optional(),
        status: z.number().int().optional().catch(undefined),
        version: ReadVersion,
      }),
    ),
    reply: Redemption,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/redemption/{id}',
    access: 'admin',
    scope: 'all',
    summary: words('Delete a redemption code', '删除兑换码'),
    params: id,
    reply: z.null(),
  }),
  redeem: endpoint({
    method: 'POST',
    path: '/api/user/topup',
    access: 'user',
    scope: 'all',
    summary: words('Redeem a code; gives the quota added', '兑换；返回增加的额度'),
    limit: 'redemption',
    row: RedemptionRow,
    body: z.object(declareFields(redemptionFields, { key: z.string().default('') })),
    reply: z.number(),
  }),
}
