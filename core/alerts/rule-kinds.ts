// The kinds of alerts, one declaration each: source of the history, direction of the threshold, and texts.
import { words, type Words } from '../errors.ts'

/** Numbers of usage are summed up over a rule's window; samples are what was seen each quarter of an hour. */
type Source = 'usage' | 'samples'

/** How values are written. */
export type AlertUnit = 'percent' | 'usd' | 'charges' | 'accounts' | 'days' | 'seconds'

export interface RuleKind {
  title: Words
  source: Source
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

export const ruleKinds = {
  error_rate: {
    title: words('Error rate', '错误率'),
    source: 'usage',
    bad: 'above',
    unit: 'percent',
    usual: 20,
    fields: ['minutes', 'least', 'model', 'channel', 'group'],
    text: words(
      '{value} of the calls of the last {minutes} minutes failed{of}; the limit is {threshold}.',
      '最近 {minutes} 分钟的调用有 {value} 失败{of}；高于 {threshold} 时告警。',
    ),
  },
  spend: {
    title: words('Spend', '消费'),
    source: 'usage',
    bad: 'above',
    unit: 'usd',
    usual: 100,
    fields: ['minutes', 'model', 'channel', 'group'],
    text: words(
      '{value} were charged in the last {minutes} minutes{of}; the limit is {threshold}.',
      '最近 {minutes} 分钟共扣费 {value}{of}；高于 {threshold} 时告警。',
    ),
  },
  provider_balance: {
    title: words('Balance at a provider', '服务商余额'),
    source: 'samples',
    bad: 'below',
    unit: 'usd',
    usual: 5,
    fields: ['channel'],
    text: words(
      'Channel {subject} has {value} left at its provider; the limit is {threshold}.',
      '渠道 {subject} 在服务商处剩余 {value}；低于 {threshold} 时告警。',
    ),
  },
  owed_charges: {
    title: words('Owed charges', '未入账的扣费'),
    source: 'samples',
    bad: 'above',
    unit: 'charges',
    usual: 0,
    fields: [],
    local: true,
    text: words(
      '{value} are not booked ({subject}); the limit is {threshold}. See `weir ledger pending`.',
      '{value} 尚未入账（{subject}）；高于 {threshold} 时告警。请查看 `weir ledger pending`。',
    ),
  },
  accounts_below_zero: {
    title: words('Accounts below zero', '余额为负的账户'),
    source: 'samples',
    bad: 'above',
    unit: 'accounts',
    usual: 0,
    fields: [],
    text: words(
      '{value} are in debt; the limit is {threshold}. See `weir call quota.verify`.',
      '{value} 欠费；高于 {threshold} 时告警。请查看 `weir call quota.verify`。',
    ),
  },
  certificate: {
    title: words('Certificate', '证书'),
    source: 'samples',
    bad: 'below',
    unit: 'days',
    usual: 14,
    fields: [],
    text: words(
      'The certificate of {subject} is valid for {value}; the limit is {threshold}.',
      '{subject} 的证书有效期还剩 {value}；低于 {threshold} 时告警。',
    ),
  },
  disk: {
    title: words('Disk', '磁盘'),
    source: 'samples',
    bad: 'below',
    unit: 'percent',
    usual: 10,
    fields: [],
    local: true,
    text: words(
      '{value} of the disk of {subject} is free; the limit is {threshold}.',
      '{subject} 所在磁盘的剩余空间为 {value}；低于 {threshold} 时告警。',
    ),
  },
  storage: {
    title: words('Database away', '数据库不可用'),
    source: 'samples',
    bad: 'above',
    unit: 'seconds',
    usual: 60,
    fields: [],
    local: true,
    text: words(
      'The database has taken nothing from {subject} for {value}; the limit is {threshold}.',
      '数据库已有 {value} 未能接受 {subject} 的写入；高于 {threshold} 时告警。',
    ),
  },
} as const satisfies Record<string, RuleKind>

export type AlertKind = keyof typeof ruleKinds
export const ALERT_KINDS = Object.keys(ruleKinds) as [AlertKind, ...AlertKind[]]

export const getRuleKind = (kind: AlertKind): RuleKind => ruleKinds[kind]
