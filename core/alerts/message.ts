// The text of an alert, in both languages.
import { fillTemplate, words, type Words } from '../errors.ts'
import type { NoticeMessage } from '../notify/deliver.ts'
import type { Alert, AlertRule, WatchedMetric } from './alert.ts'
import { getRuleKind, type AlertUnit } from './rule-kinds.ts'

export type AlertTurn = 'begun' | 'again' | 'over' | 'test'

const UNITS: Record<AlertUnit, (value: number) => Words> = {
  percent: (value) => both(`${number(value, 2)}%`),
  usd: (value) => both(`$${value.toFixed(2)}`),
  charges: (value) => words(`${number(value)} charges`, `${number(value)} 笔扣费`),
  accounts: (value) => words(`${number(value)} accounts`, `${number(value)} 个账户`),
  days: (value) => words(`${number(value)} days`, `${number(value)} 天`),
  seconds: (value) => words(`${number(value)} seconds`, `${number(value)} 秒`),
}

const both = (text: string): Words => words(text, text)
const number = (value: number, digits = 0) => String(Number(value.toFixed(digits)))

/** A value as its kind has it: `12.5%`, `$3.00`, `14 days`. */
export const valueText = (kind: AlertRule['kind'], value: number): Words => UNITS[getRuleKind(kind).unit](value)

const TITLES: Record<AlertTurn, Words> = {
  begun: words('Alert: {name}', '告警：{name}'),
  again: words('Still: {name}', '告警持续：{name}'),
  over: words('Over: {name}', '告警解除：{name}'),
  test: words('Test of the alert {name}', '告警测试：{name}'),
}
const SINCE = words(' Since {from} (UTC).', ' 开始于 {from}（UTC）。')
const FROM_TO = words('From {from} to {to} (UTC); at worst {worst}.', '{from} 至 {to}（UTC）；最差为 {worst}。')
const TEST = words(
  'This is a test: notifications of this rule arrive here.',
  '这是一条测试：此规则的告警会发送到这里。',
)

/** Returns the filter of a rule as a suffix: ` (model gpt-4.1, group vip)`. */
function narrowedTo({ kind, model, channel, group }: WatchedMetric): Words {
  const { fields } = getRuleKind(kind)
  if (!fields.includes('model')) return both('')
  const parts = [
    ...(model === '' ? [] : [words(`model ${model}`, `模型 ${model}`)]),
    ...(channel === 0 ? [] : [words(`channel ${channel}`, `渠道 ${channel}`)]),
    ...(group === '' ? [] : [words(`group ${group}`, `分组 ${group}`)]),
  ]
  if (parts.length === 0) return both('')
  return words(` (${parts.map(({ en }) => en).join(', ')})`, `（${parts.map(({ zh }) => zh).join('，')}）`)
}

/** Epoch seconds as people and programs read them. */
const timeText = (at: number) => new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')

/** Rule and subject named, with its numbers. @param subject as people know it */
export function alertWords(turn: AlertTurn, rule: AlertRule, alert: Alert | null, subject: string) {
  const title = fillTemplate(TITLES[turn], { name: rule.name })
  if (!alert || turn === 'test') return { title, content: TEST }
  const { kind, threshold, minutes } = rule
  const amounts = { value: valueText(kind, alert.value), threshold: valueText(kind, threshold) }
  const worst = valueText(kind, alert.worst)
  const times = { from: timeText(alert.began_at), to: timeText(alert.ended_at) }
  const of = narrowedTo(rule)
  const alertText = fillTemplate(getRuleKind(kind).text, { ...amounts, minutes, subject, of })
  const content =
    turn === 'over'
      ? joined(fillTemplate(FROM_TO, { ...times, worst }), subject === '' ? both('') : both(` ${subject}`))
      : joined(alertText, fillTemplate(SINCE, times))
  return { title, content }
}

const joined = (one: Words, other: Words): Words => words(one.en + other.en, one.zh + other.zh)

/** Builds the message in the language of the rule. */
export function buildAlertMessage(
  turn: AlertTurn,
  rule: AlertRule,
  alert: Alert | null,
  subject: string,
): NoticeMessage {
  const alertText = alertWords(turn, rule, alert, subject)
  const text = ({ en, zh }: Words) => (rule.language === 'both' ? `${en} · ${zh}` : rule.language === 'en' ? en : zh)
  const values = alert
    ? [
        rule.name,
        rule.kind,
        subject,
        String(alert.value),
        String(rule.threshold),
        String(alert.began_at),
        String(alert.ended_at),
      ]
    : [rule.name, rule.kind]
  return { type: `alert.${turn}`, title: text(alertText.title), content: text(alertText.content), values }
}
