// A rule with the recipients of an alert, and an alert: a period in which the rule was violated.
import { z } from 'zod'
import { declareShapeFields } from '../contract/field.ts'
import { ReadVersion, RowVersion } from '../contract/version.ts'
import { WEBHOOK_MESSAGE_FORMATS } from '../notify/robots.ts'
import { alertFields } from './alert-fields.data.ts'
import { ALERT_KIND_NAMES } from './rule-kinds.ts'

export const LANGUAGES = ['both', 'en', 'zh'] as const
/** Whole quarters of an hour, up to a week. */
const LONGEST_WINDOW = 7 * 24 * 60
const LONGEST_QUIET = 31 * 24 * 60
const LONGEST_NAME = 50
/** Maximum number of rules. */
export const MAX_ALERT_RULES = 100

const narrowed = {
  minutes: z.number().int().min(15).max(LONGEST_WINDOW).default(60),
  least: z.number().int().min(0).max(1_000_000_000).default(20),
  model: z.string().trim().max(200).default(''),
  channel: z.int32().min(0).default(0),
  group: z.string().trim().max(100).default(''),
}
const threshold = z.number().min(0).max(1_000_000_000_000)
const kind = z.enum(ALERT_KIND_NAMES)

/** The metric of a rule: everything that a preview needs. */
export const WatchedMetric = z.object(declareShapeFields(alertFields, { kind, threshold, ...narrowed }))
export type WatchedMetric = z.infer<typeof WatchedMetric>

const notificationFields = {
  root: z.boolean().default(true),
  mails: z.string().trim().max(2000).default(''),
  webhook_url: z.string().trim().max(2000).default(''),
  webhook_format: z.enum(WEBHOOK_MESSAGE_FORMATS).default('weir'),
  webhook_secret: z.string().max(500).optional(),
  language: z.enum(LANGUAGES).default('both'),
  quiet_minutes: z.number().int().min(0).max(LONGEST_QUIET).default(240),
}
const name = z.string().trim().min(1).max(LONGEST_NAME)

export const AlertRuleForm = z.object(
  declareShapeFields(alertFields, {
    name,
    kind,
    threshold,
    enabled: z.boolean().default(true),
    ...narrowed,
    ...notificationFields,
  }),
)
export type AlertRuleForm = z.infer<typeof AlertRuleForm>

/** The changes to a rule; absent fields stay as they are. */
export const AlertRulePatch = z.object(
  declareShapeFields(alertFields, {
    id: z.number().int(),
    name: name.optional(),
    threshold: threshold.optional(),
    enabled: z.boolean().optional(),
    minutes: narrowed.minutes.unwrap().optional(),
    least: narrowed.least.unwrap().optional(),
    model: narrowed.model.unwrap().optional(),
    channel: narrowed.channel.unwrap().optional(),
    group: narrowed.group.unwrap().optional(),
    root: notificationFields.root.unwrap().optional(),
    mails: notificationFields.mails.unwrap().optional(),
    webhook_url: notificationFields.webhook_url.unwrap().optional(),
    webhook_format: notificationFields.webhook_format.unwrap().optional(),
    webhook_secret: notificationFields.webhook_secret,
    language: notificationFields.language.unwrap().optional(),
    quiet_minutes: notificationFields.quiet_minutes.unwrap().optional(),
    version: ReadVersion,
  }),
)

export const AlertRule = z.object(
  declareShapeFields(alertFields, {
    id: z.number(),
    name: z.string(),
    kind,
    enabled: z.boolean(),
    threshold: z.number(),
    minutes: z.number(),
    least: z.number(),
    model: z.string(),
    channel: z.number(),
    group: z.string(),
    root: z.boolean(),
    mails: z.string(),
    webhook_url: z.string(),
    webhook_format: z.enum(WEBHOOK_MESSAGE_FORMATS),
    language: z.enum(LANGUAGES),
    quiet_minutes: z.number(),
    /** Epoch seconds. */
    created_time: z.number(),
    version: RowVersion,
  }),
)
export type AlertRule = z.infer<typeof AlertRule>

/** A rule with the secret of its webhook, which no reply contains. */
export interface RuleWithSecret extends AlertRule {
  webhook_secret: string
}

/** The last notification about an alert. */
const TOLD = ['', 'begun', 'over'] as const

export const Alert = z.object({
  id: z.number(),
  rule_id: z.number(),
  /** The subject: a channel, a host, a process; empty for everything that the rule covers. */
  subject: z.string(),
  /** Epoch seconds. */
  began_at: z.number(),
  /** 0 while it lasts. */
  ended_at: z.number(),
  value: z.number(),
  worst: z.number(),
  told: z.enum(TOLD),
  told_at: z.number(),
  /** The error of the last notification; empty if all were sent. */
  failure: z.string(),
})
z.globalRegistry.add(Alert, { id: 'Alert' })
export type Alert = z.infer<typeof Alert>

/** An alert with the recipients of the current notification, one per line, and the number of attempts. */
export interface AlertInProgress extends Alert {
  told_to: string
  tries: number
}

/** A rule with its current state. */
export const RuleWithState = AlertRule.extend({
  has_secret: z.boolean(),
  alerts: z.array(Alert),
  /** Reason for a missing value; empty if there is one. */
  unknown: z.enum(['', 'no_usage', 'no_certificate', 'no_sample']),
})
z.globalRegistry.add(RuleWithState, { id: 'AlertRule' })
export type RuleWithState = z.infer<typeof RuleWithState>
