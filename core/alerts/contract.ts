import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { words } from '../errors.ts'
import { alertFields } from './alert-fields.data.ts'
import { Alert, AlertRuleForm, AlertRulePatch, RuleWithState, WatchedMetric } from './alert.ts'

const id = z.object({ id: z.coerce.number().int() })

/** A period in which a rule would have sent an alert. */
const Fired = z.object({ subject: z.string(), from: z.number(), to: z.number(), worst: z.number() })

export const AlertPreview = z.object({
  /** The examined period, in epoch seconds. */
  from: z.number(),
  to: z.number(),
  /** Start of the known data; 0 if there is none. */
  known_from: z.number(),
  /** Sorted by time, at most the last thousand. */
  fired: z.array(Fired),
  times: z.number(),
  /** The worst value of the whole time; null where nothing is known. */
  worst: z.number().nullable(),
})
z.globalRegistry.add(AlertPreview, { id: 'AlertPreview' })
export type AlertPreview = z.infer<typeof AlertPreview>

/** An alert that was, with its rule's name. */
const PastAlert = Alert.extend({ rule_name: z.string() })
z.globalRegistry.add(PastAlert, { id: 'PastAlert' })
export type PastAlert = z.infer<typeof PastAlert>

export const alertsContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/alert/',
    access: 'admin',
    scope: 'read',
    summary: words('Alert rules, each with its active alerts'),
    reply: z.array(RuleWithState),
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/alert/history',
    access: 'admin',
    scope: 'read',
    summary: words('Past alerts, newest first'),
    query: z.object({ limit: z.coerce.number().int().min(1).max(1000).default(100) }),
    reply: z.array(PastAlert),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/alert/',
    access: 'admin',
    scope: 'all',
    summary: words('Add an alert rule'),
    row: RuleWithState,
    body: AlertRuleForm,
    reply: RuleWithState,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/alert/',
    access: 'admin',
    scope: 'all',
    summary: words('Change an alert rule; absent fields stay unchanged'),
    row: RuleWithState,
    body: AlertRulePatch,
    reply: RuleWithState,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/alert/{id}',
    access: 'admin',
    scope: 'all',
    summary: words('Delete an alert rule with its alerts'),
    params: id,
    reply: z.null(),
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/alert/test',
    access: 'admin',
    scope: 'all',
    summary: words('Send a test to all recipients of a rule'),
    body: z.object(declareShapeFields(alertFields, { id: z.number().int() })),
    reply: z.object({
      /** Number of recipients notified. */
      told: z.number(),
      failure: z.string(),
    }),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/alert/preview',
    access: 'admin',
    scope: 'read',
    summary: words(
      'The times at which a rule would have sent a notification in the last days, from the data recorded then',
    ),
    body: WatchedMetric.extend(declareShapeFields(alertFields, { days: z.number().int().min(1).max(30).default(7) })),
    reply: AlertPreview,
  }),
}
