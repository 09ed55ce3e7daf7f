// Display of alert rules, alerts and previews.
import type { Alert, RuleWithState } from '../../core/alerts/alert.ts'
import type { AlertPreview, PastAlert } from '../../core/alerts/contract.ts'
import { formatAlertValue } from '../../core/alerts/message.ts'
import { alertRuleKinds } from '../../core/alerts/rule-kinds.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate, type Words } from '../../core/errors.ts'
import { words } from '../texts.ts'
import { findByName } from './names.ts'
import { count, flag, number, text, time, word, type OutputView } from '../output/view.ts'

const KINDS: Readonly<Record<string, Words>> = Object.fromEntries(
  Object.entries(alertRuleKinds).map(([kind, { title }]) => [kind, title]),
)
const STATES = {
  quiet: words('quiet'),
  alert: words('ALERT'),
  unknown: words('unknown'),
  off: words('off'),
}
const TONES = { quiet: 'good', alert: 'bad', unknown: 'careful', off: 'faint' } as const

/** Returns the current state of a rule. */
export const getAlertState = ({ enabled, alerts, unknown }: RuleWithState): keyof typeof STATES =>
  !enabled ? 'off' : alerts.length > 0 ? 'alert' : unknown === '' ? 'quiet' : 'unknown'

/** Formats the recipients of a rule. */
const formatRecipients = ({ root, mails, webhook_url }: RuleWithState): string =>
  [...(root ? ['root'] : []), ...(mails === '' ? [] : [mails]), ...(webhook_url === '' ? [] : [webhook_url])].join(', ')

export const alertRuleView: OutputView<RuleWithState> = {
  id: count(words('ID'), 1, ({ id }) => id),
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  kind: word(words('WHAT', { context: 'alert' }), 1, KINDS, ({ kind }) => kind),
  threshold: number(words('THRESHOLD'), 1, ({ threshold }) => threshold, {
    shown: ({ kind, threshold }, { language }) => formatAlertValue(kind, threshold)[language],
  }),
  state: word(words('STATE'), 1, STATES, getAlertState, { tone: (rule) => TONES[getAlertState(rule)] }),
  since: time(words('SINCE'), 2, ({ alerts }) => alerts[0]?.began_at ?? 0),
  told: text(words('RECIPIENTS'), 2, (rule) => formatRecipients(rule) || null, { flexible: true }),
  enabled: flag(words('IN USE'), 0, ({ enabled }) => enabled),
  minutes: count(words('MINUTES'), 0, ({ minutes }) => minutes),
  least: count(words('CALLS AT LEAST'), 0, ({ least }) => least),
  model: text(words('MODEL'), 0, ({ model }) => model || null),
  channel: count(words('CHANNEL'), 0, ({ channel }) => channel || null),
  group: text(words('GROUP'), 0, ({ group }) => group || null),
  quiet_minutes: count(words('QUIET MINUTES'), 0, (rule) => rule.quiet_minutes),
  failure: text(words('NOT NOTIFIED'), 3, ({ alerts }) => findFailure(alerts), { flexible: true, below: true }),
}

const findFailure = (alerts: readonly Alert[]): string | null =>
  alerts.map(({ failure }) => failure).find((failure) => failure !== '') ?? null

export const pastAlertView: OutputView<PastAlert> = {
  id: count(words('ID'), 2, ({ id }) => id),
  rule: text(words('RULE'), 1, (alert) => alert.rule_name, { flexible: true, tone: () => 'strong' }),
  rule_id: count(words('RULE ID'), 0, (alert) => alert.rule_id, { identifies: 1 }),
  subject: text(words('OF'), 1, ({ subject }) => subject || null, { flexible: true }),
  began: time(words('BEGAN'), 1, (alert) => alert.began_at),
  ended: time(words('ENDED'), 1, (alert) => alert.ended_at),
  worst: number(words('WORST'), 1, ({ worst }) => worst),
  failure: text(words('NOT NOTIFIED'), 3, ({ failure }) => failure || null, { flexible: true, below: true }),
}

export const firedAlertView: OutputView<AlertPreview['fired'][number]> = {
  from: time(words('FROM', { context: 'span' }), 1, ({ from }) => from),
  to: time(words('TO', { context: 'span' }), 1, ({ to }) => to),
  subject: text(words('OF'), 1, ({ subject }) => subject || null, { flexible: true }),
  worst: number(words('WORST'), 1, ({ worst }) => worst),
}

const TIMES = words(
  'In the last {days} days this rule would have sent {times} notifications; the worst value was {worst}.',
)
const NOTHING = words('Nothing was seen in the last {days} days that this rule could be tried on.')

/** Formats the result of a preview. */
export const formatPreviewResult = (
  kind: RuleWithState['kind'],
  { times, worst }: AlertPreview,
  days: number,
): Words =>
  worst === null
    ? fillTemplate(NOTHING, { days })
    : fillTemplate(TIMES, { days, times, worst: formatAlertValue(kind, worst) })

/** Returns the rule by id or unique name. @throws Refusal if none or several match */
export async function requireAlertRule(weir: WeirClient, named: string): Promise<RuleWithState> {
  const rules = await weir.alerts.list()
  return (
    rules.find(({ id }) => String(id) === named) ??
    findByName({
      name: named,
      rows: rules,
      getNames: ({ name }) => [name],
      describe: ({ id }) => String(id),
      missing: words('No rule is called "{name}": see `weir alerts`.'),
      several: words('Several rules are called "{name}": give the id, one of {ids}.'),
      kind: 'alert',
    })
  )
}
