// Settings of rate limits: for every user, for users of a group, for one user, for a group as a whole.
import { declareShapeFields, ZERO_IS_NO_LIMIT } from '../contract/field.ts'
import { words } from '../errors.ts'
import { z } from 'zod'
import { count, failWithCode, flag, json, longText, setting, settingUnits } from './setting.ts'

const LARGEST = 2_147_483_647

const rateFields = {
  requests_per_minute: {
    label: words('Calls per minute'),
    help: words('Maximum calls per minute'),
    zero: ZERO_IS_NO_LIMIT,
  },
  tokens_per_minute: {
    label: words('Tokens per minute'),
    help: words('How many tokens of models may be used in a minute'),
    zero: ZERO_IS_NO_LIMIT,
  },
  max_concurrent: {
    label: words('Calls at the same time'),
    help: words('Maximum concurrent calls'),
    zero: ZERO_IS_NO_LIMIT,
  },
}

/** The possible rate limits; an absent one does not apply. */
export const RateLimit = z.strictObject(
  declareShapeFields(rateFields, {
    requests_per_minute: z.number().int().min(0).max(LARGEST).optional(),
    tokens_per_minute: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    max_concurrent: z.number().int().min(0).max(LARGEST).optional(),
  }),
)
export type RateLimit = z.infer<typeof RateLimit>

const WHOSE = /^(default|users_of:.+|user:[1-9]\d{0,14}|group:.+)$/

const RateLimits = z.record(z.string(), RateLimit).superRefine((rates, context) => {
  const unknown = Object.keys(rates).find((scope) => !WHOSE.test(scope))
  if (unknown === undefined) return
  context.addIssue({ code: 'custom', message: 'setting.rate_whose', path: [unknown], params: { subject: unknown } })
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
      failWithCode('setting.rate_counts', { max: LARGEST }),
    ) as z.ZodType<[requests: number, successes: number]>,
)

export const limitSettings = {
  ModelRequestRateLimitEnabled: setting({
    value: flag(false),
    label: words('Limit model requests of each user'),
    help: words('Counts the model calls of each user in the period below'),
    card: 'ratelimit.requests',
    order: 10,
    writer: 'admin',
  }),
  ModelRequestRateLimitDurationMinutes: setting({
    value: count(1),
    label: words('Period'),
    help: words('Length of the sliding window'),
    zero: ZERO_IS_NO_LIMIT,
    card: 'ratelimit.requests',
    order: 20,
    unit: settingUnits.minutes,
    shownWhen: { ModelRequestRateLimitEnabled: true },
    writer: 'admin',
  }),
  ModelRequestRateLimitCount: setting({
    value: count(0, { min: -1, max: LARGEST }),
    label: words('Requests per period'),
    help: words('All requests, failed ones included; -1 is as 0'),
    zero: ZERO_IS_NO_LIMIT,
    card: 'ratelimit.requests',
    order: 30,
    shownWhen: { ModelRequestRateLimitEnabled: true },
    writer: 'admin',
  }),
  ModelRequestRateLimitSuccessCount: setting({
    value: count(1000, { min: 1, max: LARGEST }),
    label: words('Successful requests per period'),
    help: words('A call in progress counts until it fails'),
    card: 'ratelimit.requests',
    order: 40,
    shownWhen: { ModelRequestRateLimitEnabled: true },
    writer: 'admin',
  }),
  ModelRequestRateLimitGroup: setting({
    value: json(GroupCounts, {}),
    label: words('Requests per period by group'),
    help: words(
      'Instead of the two numbers above: {"vip": [0, 5000]} gives requests and successful requests; 0 requests for no limit. The group is that of the token, else of the user',
    ),
    card: 'ratelimit.requests',
    order: 50,
    shownWhen: { ModelRequestRateLimitEnabled: true },
    writer: 'admin',
  }),
  RateLimits: setting({
    value: json(RateLimits, {}),
    label: words('Rate limits'),
    help: words(
      'Limits per minute and of calls at once. "default" is for each user, "users_of:GROUP" for each of a group, "user:ID" for one (the nearest counts); "group:GROUP" for all calls of a group together: {"default": {"requests_per_minute": 60, "tokens_per_minute": 100000, "max_concurrent": 5}}',
    ),
    card: 'ratelimit.limits',
    order: 10,
    writer: 'admin',
  }),
}

// Settings of the word list that prompts are checked against.

export const sensitiveWordSettings = {
  CheckSensitiveEnabled: setting({
    value: flag(true),
    label: words('Check for words'),
    help: words('Off: the list of words is not checked'),
    card: 'operation.sensitive',
    order: 10,
    writer: 'admin',
  }),
  CheckSensitiveOnPromptEnabled: setting({
    value: flag(true),
    label: words('Check prompts'),
    help: words('A prompt that contains a word of the list is refused before anything is charged'),
    card: 'operation.sensitive',
    order: 20,
    shownWhen: { CheckSensitiveEnabled: true },
    writer: 'admin',
  }),
  StopOnSensitiveEnabled: setting({
    value: flag(true),
    label: words('Stop at a word'),
    help: words('Kept for other clients: a prompt with a listed word is always refused'),
    card: 'operation.sensitive',
    order: 30,
    shownWhen: { CheckSensitiveEnabled: true },
    writer: 'admin',
  }),
  SensitiveWords: setting({
    value: longText('weir_test_sensitive'),
    label: words('Words'),
    help: words('One per line, found anywhere in the texts of a prompt, in any case'),
    card: 'operation.sensitive',
    order: 40,
    shownWhen: { CheckSensitiveEnabled: true },
    writer: 'admin',
  }),
}
