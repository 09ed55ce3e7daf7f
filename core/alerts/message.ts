// The text of an alert, in both languages.
import { fillTemplate, joinTexts, EMPTY_WORDS, toWords, words, type Words } from '../errors.ts'
import type { NoticeMessage } from '../notify/deliver.ts'
import type { Alert, AlertRule, WatchedMetric } from './alert.ts'
import { getRuleKind, type AlertUnit } from './rule-kinds.ts'

export type AlertTurn = 'begun' | 'again' | 'over' | 'test'

const UNITS: Record<AlertUnit, (value: number) => Words> = {
  percent: (value) => toWords(`${number(value, 2)}%`),
  usd: (value) => toWords(`$${value.toFixed(2)}`),
  charges: (value) => fillTemplate(words('{value} charges'), { value: number(value) }),
  accounts: (value) => fillTemplate(words('{value} accounts'), { value: number(value) }),
  days: (value) => fillTemplate(words('{value} days'), { value: number(value) }),
  seconds: (value) => fillTemplate(words('{value} seconds'), { value: number(value) }),
}

const number = (value: number, digits = 0) => String(Number(value.toFixed(digits)))

/** A value as its kind has it: `12.5%`, `$3.00`, `14 days`. */
export const formatAlertValue = (kind: AlertRule['kind'], value: number): Words => UNITS[getRuleKind(kind).unit](value)

const TITLES: Record<AlertTurn, Words> = {
  begun: words('Alert: {name}'),
  again: words('Still: {name}'),
  over: words('Over: {name}'),
  test: words('Test of the alert {name}'),
}
const SINCE = words(' Since {from} (UTC).')
const FROM_TO = words('From {from} to {to} (UTC); at worst {worst}.')
const TEST = words('This is a test: notifications of this rule arrive here.')

/** Returns the filter of a rule as a suffix: ` (model gpt-4.1, group vip)`. */
function narrowedTo({ kind, model, channel, group }: WatchedMetric): Words {
  const { fields } = getRuleKind(kind)
  if (!fields.includes('model')) return EMPTY_WORDS
  const parts = [
    ...(model === '' ? [] : [fillTemplate(words('model {model}'), { model })]),
    ...(channel === 0 ? [] : [fillTemplate(words('channel {channel}'), { channel })]),
    ...(group === '' ? [] : [fillTemplate(words('group {group}'), { group })]),
  ]
  if (parts.length === 0) return EMPTY_WORDS
  return fillTemplate(words(' ({parts})'), { parts: joinTexts(parts, words(', ', { context: 'clause' })) })
}

/** Epoch seconds as people and programs read them. */
const timeText = (at: number) => new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')

/** Rule and subject named, with its numbers. @param subject as people know it */
export function buildAlertWords(turn: AlertTurn, rule: AlertRule, alert: Alert | null, subject: string) {
  const title = fillTemplate(TITLES[turn], { name: rule.name })
  if (!alert || turn === 'test') return { title, content: TEST }
  const { kind, threshold, minutes } = rule
  const amounts = { value: formatAlertValue(kind, alert.value), threshold: formatAlertValue(kind, threshold) }
  const worst = formatAlertValue(kind, alert.worst)
  const times = { from: timeText(alert.began_at), to: timeText(alert.ended_at) }
  const of = narrowedTo(rule)
  const alertText = fillTemplate(getRuleKind(kind).text, { ...amounts, minutes, subject, of })
  const content =
    turn === 'over'
      ? joinTexts([fillTemplate(FROM_TO, { ...times, worst }), subject === '' ? '' : ` ${subject}`], EMPTY_WORDS)
      : joinTexts([alertText, fillTemplate(SINCE, times)], EMPTY_WORDS)
  return { title, content }
}

/** Builds the message in the language of the rule. */
export function buildAlertMessage(
  turn: AlertTurn,
  rule: AlertRule,
  alert: Alert | null,
  subject: string,
): NoticeMessage {
  const alertText = buildAlertWords(turn, rule, alert, subject)
  const text = (texts: Words) => (rule.language === 'both' ? `${texts.en} · ${texts.zh}` : texts[rule.language])
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
