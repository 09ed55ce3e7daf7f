import { z } from 'zod'
import { QuotaAmount, filterByKind, MAX_AMOUNT, queryFlag } from '../contract/filter.ts'
import { isTimeZone } from '../contract/time-zone.ts'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields, field } from '../contract/field.ts'
import {
  buildPageSchema,
  pageQueryFields,
  tokenPageQuery,
  tokenSearchQuery,
  cursorQueryFields,
  cursorReplyFields,
} from '../contract/page.ts'
import { ReadVersion } from '../contract/version.ts'
import { type ErrorCode, words } from '../errors.ts'
import { BudgetUse } from './budget.ts'
import { isAddressOrRange } from './allowed-address.ts'
import { parseSeparatedList, Token, tokenListOrder } from './token.ts'
import { tokenFields } from './token-fields.data.ts'

const id = z.object({ id: z.coerce.number().int() })

/** A limit: 0 for none. */
const amount = z.number().int().min(0)

/** A limit in quota units. */
const budget = amount.max(MAX_AMOUNT)

const EXPIRY = { error: 'token.expiry' satisfies ErrorCode }
const TOKEN_ADDRESSES = 'token.addresses' satisfies ErrorCode

/** A comma list, kept without blanks and doubles. */
const nameList = z.string().transform((text) => parseSeparatedList(text).join(','))

/** One address or network per line, or with commas between them. */
const addressList = z
  .string()
  .nullable()
  .transform((text, context) => {
    const line = parseSeparatedList(text ?? '').find((each) => !isAddressOrRange(each))
    if (line !== undefined) context.addIssue({ code: 'custom', message: TOKEN_ADDRESSES, params: { line } })
    return text ?? ''
  })

/** The fields of a token's form. */
const fields = declareShapeFields(tokenFields, {
  name: z.string(),
  remain_quota: QuotaAmount,
  unlimited_quota: z.boolean(),
  expired_time: z.number(EXPIRY).int(EXPIRY).min(-1, EXPIRY),
  model_limits_enabled: z.boolean(),
  model_limits: nameList,
  allow_ips: addressList,
  group: z.string(),
  budget_day: budget,
  budget_week: budget,
  budget_month: budget,
  time_zone: z
    .string()
    .trim()
    .refine(isTimeZone, { error: 'token.time_zone' satisfies ErrorCode }),
  requests_per_minute: amount,
  tokens_per_minute: amount,
  max_concurrent: amount,
  fallback_models: nameList,
})

/** The limits of a token by their names in one-api's API. Each one sets the corresponding field of Weir. */
const oneApiFields = declareShapeFields(tokenFields, {
  models: z
    .string()
    .nullable()
    .transform((text) => parseSeparatedList(text ?? '').join(','))
    .optional(),
  subnet: addressList.optional(),
})

/** null clears them, as it does in one-api. */
const ONE_API_NAMES = ['models', 'subnet']

/** The id of a token, and its status. */
const row = declareShapeFields(tokenFields, { id: z.number().int(), status: z.number().int().optional() })

/** The quota of a token without one, in quota units: $1 at 500,000 units per dollar (section 9 of the specification). */
export const DEFAULT_TOKEN_QUOTA = 500_000

/** A new token; what is absent starts like this. */
export const TokenForm = z.object({
  name: fields.name.default(''),
  /** The team that pays; 0 for the user's own account. */
  team_id: field(z.number().int().min(0), tokenFields.team_id).default(0),
  remain_quota: fields.remain_quota.default(DEFAULT_TOKEN_QUOTA),
  unlimited_quota: fields.unlimited_quota.default(false),
  expired_time: fields.expired_time.default(-1),
  model_limits_enabled: fields.model_limits_enabled.default(false),
  model_limits: fields.model_limits.default(''),
  allow_ips: fields.allow_ips.default(''),
  group: fields.group.default(''),
  budget_day: fields.budget_day.default(0),
  budget_week: fields.budget_week.default(0),
  budget_month: fields.budget_month.default(0),
  time_zone: fields.time_zone.default(''),
  requests_per_minute: fields.requests_per_minute.default(0),
  tokens_per_minute: fields.tokens_per_minute.default(0),
  max_concurrent: fields.max_concurrent.default(0),
  fallback_models: fields.fallback_models.default(''),
  ...oneApiFields,
})

/** A token as its owner sees it: with the use of its budgets. */
export const ShownToken = z.object({ ...Token.shape, ...BudgetUse.shape })
z.globalRegistry.add(ShownToken, { id: 'Token' })

/** A token of a team, and whose it is. */
const TeamToken = ShownToken.extend({ username: z.string() })
z.globalRegistry.add(TeamToken, { id: 'TeamToken' })

/** The changes to a token; absent fields stay as they are. */
const TokenPatch = z
  .object(fields)
  .partial()
  .extend({ ...row, ...oneApiFields, version: ReadVersion })

const ofUser = z.object({ user_id: z.coerce.number().int() })

/** The filter of a list of tokens: 0 and the empty text filter nothing; `status` is the effective one. */
const filter = { status: filterByKind, group: z.string().default('') }

/** The fields of a list of tokens in addition to its rows. */
const replyFields = z.object({ total: z.number(), ...cursorReplyFields(tokenListOrder) })

export const TOKEN_ACTIONS = ['enable', 'disable', 'delete'] as const

export const tokensContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/token/',
    access: 'user',
    scope: 'relay',
    summary: words(
      'Own tokens, newest first, by state or group; keys are masked, the whole key is shown for a single token only',
    ),
    query: z.object({ ...tokenPageQuery, ...cursorQueryFields(tokenListOrder), ...filter }),
    reply: z.array(ShownToken),
    replyFields,
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/token/search',
    access: 'user',
    scope: 'relay',
    summary: words('Own tokens by part of the name and by key, as in the list; a hundred by default'),
    query: z.object({
      keyword: z.string().default(''),
      token: z.string().default(''),
      ...filter,
      ...tokenSearchQuery,
      ...cursorQueryFields(tokenListOrder),
    }),
    reply: z.array(ShownToken),
    replyFields,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/token/{id}',
    access: 'user',
    scope: 'relay',
    summary: words('One own token, with its key'),
    params: id,
    reply: ShownToken,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/token/',
    access: 'user',
    scope: 'relay',
    summary: words('Make a token'),
    row: ShownToken,
    nulls: ONE_API_NAMES,
    body: TokenForm,
    reply: ShownToken,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/token/',
    access: 'user',
    scope: 'relay',
    summary: words('Change an own token, or with status_only=true only enable (1) or disable (2) it'),
    row: ShownToken,
    nulls: ONE_API_NAMES,
    query: z.object({ status_only: queryFlag }),
    body: TokenPatch,
    reply: ShownToken,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/token/{id}',
    access: 'user',
    scope: 'relay',
    summary: words('Delete an own token'),
    params: id,
    reply: z.null(),
  }),
  ofUser: endpoint({
    method: 'GET',
    path: '/api/user/{user_id}/tokens',
    access: 'admin',
    scope: 'relay',
    summary: words("A user's tokens, newest first, of each key its ends"),
    params: ofUser,
    query: z.object({
      ...tokenPageQuery,
      ...cursorQueryFields(tokenListOrder),
      ...filter,
      keyword: z.string().default(''),
    }),
    reply: z.array(ShownToken),
    replyFields,
  }),
  ofTeam: endpoint({
    method: 'GET',
    path: '/api/team/{id}/tokens',
    access: 'user',
    scope: 'relay',
    summary: words(
      'The tokens that spend from a team, newest first, with whose each is and of its key the ends; for its owners and for administrators',
    ),
    params: z.object({ id: z.coerce.number().int() }),
    query: z.object(pageQueryFields),
    reply: buildPageSchema(TeamToken),
  }),
  createOf: endpoint({
    method: 'POST',
    path: '/api/user/{user_id}/tokens',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words('Create a token for a user whom you may manage; its key is shown only here'),
    row: ShownToken,
    nulls: ONE_API_NAMES,
    params: ofUser,
    body: TokenForm,
    reply: ShownToken,
  }),
  updateOf: endpoint({
    method: 'PUT',
    path: '/api/user/{user_id}/tokens',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words('Change the token of a user whom one may manage; manage switches it'),
    row: ShownToken,
    nulls: ONE_API_NAMES,
    params: ofUser,
    body: TokenPatch.omit({ status: true }),
    reply: ShownToken,
  }),
  manage: endpoint({
    method: 'POST',
    path: '/api/token/manage',
    access: 'admin',
    scope: 'all',
    summary: words('Enable, disable or delete the token of a user whom one may manage'),
    body: z.object(declareShapeFields(tokenFields, { id: z.number().int(), action: z.enum(TOKEN_ACTIONS) })),
    reply: ShownToken,
  }),
}
