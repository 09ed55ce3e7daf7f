// Settings of rate limits: for every user, for users of a group, for one user, for a group as a whole.
import { z } from 'zod'
import { count, flag, json, refused, setting } from './setting.ts'

const section = 'limits'
const LARGEST = 2_147_483_647

/** What may be limited; 0 or absent is no limit. */
export const RateLimit = z.strictObject({
  requests_per_minute: z.number().int().min(0).max(LARGEST).optional(),
  tokens_per_minute: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  max_concurrent: z.number().int().min(0).max(LARGEST).optional(),
})
export type RateLimit = z.infer<typeof RateLimit>

const WHOSE = /^(default|users_of:.+|user:[1-9]\d{0,14}|group:.+)$/

const RateLimits = z.record(z.string(), RateLimit).superRefine((rates, context) => {
  const unknown = Object.keys(rates).find((whose) => !WHOSE.test(whose))
  if (unknown === undefined) return
  context.addIssue({ code: 'custom', message: 'setting.rate_whose', path: [unknown], params: { whose: unknown } })
})

const isCount = (value: unknown, min: number) =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= LARGEST

/** Group → requests from 0, successful requests from 1. */
const GroupCounts = z.record(
  z.string(),
  z
    .unknown()
    .refine(
      (counts) => Array.isArray(counts) && counts.length === 2 && isCount(counts[0], 0) && isCount(counts[1], 1),
      refused('setting.rate_counts', { max: LARGEST }),
    ) as z.ZodType<[requests: number, successes: number]>,
)

export const limits = {
  ModelRequestRateLimitEnabled: setting({
    value: flag(false),
    label: 'Limit model requests of each user',
    help: 'Counts the model calls of each user in the period below',
    section,
    writer: 'admin',
  }),
  ModelRequestRateLimitDurationMinutes: setting({
    value: count(1),
    label: 'Period',
    help: 'Length of the sliding window; 0 limits nothing',
    section,
    writer: 'admin',
    unit: 'minutes',
  }),
  ModelRequestRateLimitCount: setting({
    value: count(0, { min: -1, max: LARGEST }),
    label: 'Requests per period',
    help: 'All requests, failed ones included; 0 or -1 for no limit',
    section,
    writer: 'admin',
  }),
  ModelRequestRateLimitSuccessCount: setting({
    value: count(1000, { min: 1, max: LARGEST }),
    label: 'Successful requests per period',
    help: 'A call in progress counts until it fails',
    section,
    writer: 'admin',
  }),
  ModelRequestRateLimitGroup: setting({
    value: json(GroupCounts, {}),
    label: 'Requests per period by group',
    help: 'Instead of the two numbers above: {"vip": [0, 5000]} gives requests and successful requests; 0 requests for no limit. The group is that of the token, else of the user',
    section,
    writer: 'admin',
  }),
  RateLimits: setting({
    value: json(RateLimits, {}),
    label: 'Rate limits',
    help: 'Limits per minute and of calls at once. "default" is for each user, "users_of:GROUP" for each user of a group, "user:ID" for one user (the nearest counts alone); "group:GROUP" is for all calls of a group together. Example: {"default": {"requests_per_minute": 60, "tokens_per_minute": 100000, "max_concurrent": 5}}',
    section,
    writer: 'admin',
  }),
}
