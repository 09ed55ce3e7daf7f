import { z } from 'zod'
import { isTimeZone } from '../contract/time-zone.ts'
import { endpoint } from '../contract/endpoint.ts'
import { filterByNumber, queryFlag } from '../contract/filter.ts'
import { declareShapeFields } from '../contract/field.ts'
import { type ErrorCode, words } from '../errors.ts'
import { UsageRow } from './hours.ts'
import { AdminUsageMeasures, OwnMeasures } from './report.ts'
import { TIME_STEPS } from './steps.ts'
import { USAGE_DIMENSIONS, USAGE_ORDERS } from './store.ts'
import { usageFields } from './usage-fields.data.ts'

const text = z.string().trim().default('')
const span = { start_timestamp: filterByNumber, end_timestamp: filterByNumber }

/** Names with commas between. */
const nameListSchema = <Name extends string>(names: readonly Name[]) =>
  text.transform((list, context) => {
    const requested = [...new Set(list.split(',').map((name) => name.trim()))].filter((name) => name !== '')
    if (requested.some((name) => !(names as readonly string[]).includes(name))) {
      const message = 'usage.by' satisfies ErrorCode
      context.addIssue({ code: 'custom', message, params: { choices: names.join(', ') } })
    }
    return requested as Name[]
  })

/** The dimensions of a user's usage: all except channels. */
export const OWN_DIMENSIONS = [
  'token',
  'team',
  'group',
  'model',
] as const satisfies readonly (typeof USAGE_DIMENSIONS)[number][]
const ownFilters = { token: text, team: text, group: text, model: text }

const question = {
  from: text,
  to: text,
  zone: text.refine(isTimeZone, { error: 'token.time_zone' satisfies ErrorCode }),
  step: z.enum(TIME_STEPS).default('total'),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  times: queryFlag,
  course: queryFlag,
  previous: queryFlag,
}

const time = { at: z.number(), date: z.string() }
const ownGroup = {
  token_id: z.number().optional(),
  token_name: z.string().optional(),
  team_id: z.number().optional(),
  team_name: z.string().optional(),
  group: z.string().optional(),
  model_name: z.string().optional(),
}
const group = {
  user_id: z.number().optional(),
  username: z.string().optional(),
  ...ownGroup,
  channel_id: z.number().optional(),
  channel_name: z.string().optional(),
}

const answer = <Row extends z.ZodType, Step extends z.ZodType, Total extends z.ZodType>(
  row: Row,
  step: Step,
  total: Total,
) =>
  z.object({
    from: z.number(),
    to: z.number(),
    steps: z.array(z.object(time)),
    rows: z.array(row),
    /** The sums of all groups in each step, if they were asked for. Steps without calls are left out. */
    course: z.array(step).optional(),
    total,
    /** The total of the period before, which is as long; if it was asked for. */
    previous: total.optional(),
    groups: z.number(),
  })

/** A row under one-api's names. */
const DashboardRow = z.object({
  /** `2026-11-24`. */
  Day: z.string(),
  ModelName: z.string(),
  RequestCount: z.number(),
  /** Quota units. */
  Quota: z.number(),
  PromptTokens: z.number(),
  CompletionTokens: z.number(),
})
z.globalRegistry.add(DashboardRow, { id: 'DashboardRow' })

export const usageContract = {
  query: endpoint({
    method: 'GET',
    path: '/api/usage/',
    access: 'admin',
    scope: 'read',
    summary: words('Usage of all users by time, user, token, team, group, model and channel'),
    query: z.object(
      declareShapeFields(usageFields, {
        ...question,
        by: nameListSchema(USAGE_DIMENSIONS),
        ...ownFilters,
        user: text,
        channel: text,
        order: z.enum(USAGE_ORDERS).default('quota'),
      }),
    ),
    reply: answer(
      AdminUsageMeasures.extend({ ...time, ...group }),
      AdminUsageMeasures.extend(time),
      AdminUsageMeasures,
    ),
  }),
  dashboard: endpoint({
    method: 'GET',
    path: '/api/user/dashboard',
    access: 'user',
    scope: 'usage',
    summary: words(
      'Own usage of the last seven days by day (of the reporting time zone) and model, as scripts for one-api read it',
    ),
    reply: z.array(DashboardRow),
  }),
  querySelf: endpoint({
    method: 'GET',
    path: '/api/usage/self',
    access: 'user',
    scope: 'usage',
    summary: words('Usage of the signed-in user by time, token, team, group and model'),
    query: z.object(
      declareShapeFields(usageFields, {
        ...question,
        by: nameListSchema(OWN_DIMENSIONS),
        ...ownFilters,
        order: z.enum(USAGE_ORDERS).exclude(['cost']).default('quota'),
      }),
    ),
    reply: answer(OwnMeasures.extend({ ...time, ...ownGroup }), OwnMeasures.extend(time), OwnMeasures),
  }),
  rebuild: endpoint({
    method: 'POST',
    path: '/api/usage/rebuild',
    access: 'admin',
    scope: 'all',
    summary: words('Recalculate usage from the log, hour by hour, in the background'),
    body: z.object(declareShapeFields(usageFields, { from: text, to: text, fewer: z.boolean().default(false) })),
    reply: z.null(),
  }),
  rebuildProgress: endpoint({
    method: 'GET',
    path: '/api/usage/rebuild',
    access: 'admin',
    scope: 'read',
    summary: words('How far the rebuilding of usage is'),
    reply: z.object({
      running: z.boolean(),
      from: z.number(),
      to: z.number(),
      hours: z.number(),
      done: z.number(),
      kept: z.number(),
      calls: z.number(),
    }),
  }),
  hours: endpoint({
    method: 'GET',
    path: '/api/data/',
    access: 'admin',
    scope: 'read',
    summary: words('Usage by model and hour: of all users, or of one'),
    query: z.object({ ...span, username: z.string().default(''), default_time: z.string().default('') }),
    reply: z.array(UsageRow),
  }),
  hoursSelf: endpoint({
    method: 'GET',
    path: '/api/data/self',
    access: 'user',
    scope: 'read',
    summary: words('Usage of the signed-in user by model and hour, at most a month of it'),
    query: z.object({ ...span, default_time: z.string().default('') }),
    reply: z.array(UsageRow),
  }),
}
