// The kinds of alerts, one declaration each: source of the history, direction of the threshold, and texts.
import { words, type Words } from '../errors.ts'

/** Numbers of usage are summed up over a rule's window; samples are what was seen each quarter of an hour. */
type MetricSource = 'usage' | 'samples'

/** How values are written. */
export type AlertUnit = 'percent' | 'usd' | 'charges' | 'accounts' | 'days' | 'seconds'

export interface RuleKind {
  title: Words
  source: MetricSource
  /** The bad side of the threshold. */
  bad: 'above' | 'below'
  unit: AlertUnit
  /** A threshold to begin with. */
  usual: number
  /** The fields of such a rule in addition to its threshold. */
  fields: readonly ('minutes' | 'least' | 'model' | 'channel' | 'group')[]
  /** Measured without the database: alerts are also sent while it is unavailable. */
  local?: true
  /** `{value}`, `{threshold}`, `{subject}`, `{minutes}` and what it is narrowed to, `{of}`. */
  text: Words
}

export const alertRuleKinds = {
  error_rate: {
    title: words('Error rate'),
    source: 'usage',
    bad: 'above',
    unit: 'percent',
    usual: 20,
    fields: ['minutes', 'least', 'model', 'channel', 'group'],
    text: words('{value} of the calls of the last {minutes} minutes failed{of}; the limit is {threshold}.'),
  },
  spend: {
    title: words('Spend'),
    source: 'usage',
    bad: 'above',
    unit: 'usd',
    usual: 100,
    fields: ['minutes', 'model', 'channel', 'group'],
    text: words('{value} were charged in the last {minutes} minutes{of}; the limit is {threshold}.'),
  },
  provider_balance: {
    title: words('Balance at a provider'),
    source: 'samples',
    bad: 'below',
    unit: 'usd',
    usual: 5,
    fields: ['channel'],
    text: words('Channel {subject} has {value} left at its provider; the limit is {threshold}.'),
  },
  owed_charges: {
    title: words('Owed charges'),
    source: 'samples',
    bad: 'above',
    unit: 'charges',
    usual: 0,
    fields: [],
    local: true,
    text: words('{value} are not booked ({subject}); the limit is {threshold}. See `weir ledger pending`.'),
  },
  accounts_below_zero: {
    title: words('Accounts below zero'),
    source: 'samples',
    bad: 'above',
    unit: 'accounts',
    usual: 0,
    fields: [],
    text: words('{value} are in debt; the limit is {threshold}. See `weir ledger verify`.'),
  },
  certificate: {
    title: words('Certificate'),
    source: 'samples',
    bad: 'below',
    unit: 'days',
    usual: 14,
    fields: [],
    text: words('The certificate of {subject} is valid for {value}; the limit is {threshold}.'),
  },
  disk: {
    title: words('Disk'),
    source: 'samples',
    bad: 'below',
    unit: 'percent',
    usual: 10,
    fields: [],
    local: true,
    text: words('{value} of the disk of {subject} is free; the limit is {threshold}.'),
  },
  storage: {
    title: words('Database away'),
    source: 'samples',
    bad: 'above',
    unit: 'seconds',
    usual: 60,
    fields: [],
    local: true,
    text: words('The database has taken nothing from {subject} for {value}; the limit is {threshold}.'),
  },
} as const satisfies Record<string, RuleKind>

export type AlertKind = keyof typeof alertRuleKinds
export const ALERT_KIND_NAMES = Object.keys(alertRuleKinds) as [AlertKind, ...AlertKind[]]

export const getRuleKind = (kind: AlertKind): RuleKind => alertRuleKinds[kind]
