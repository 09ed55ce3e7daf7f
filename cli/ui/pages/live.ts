// Live traffic: figures of the last minutes, and the last calls.
import { LOG_TYPE, type LogEntry } from '../../../core/calls/log-entry.ts'
import { fillTemplate } from '../../../core/errors.ts'
import { sparkline } from '../../progress.ts'
import { quotaText } from '../../format.ts'
import { logView } from '../../nouns/log.ts'
import { words } from '../../texts.ts'
import { ms, msText, text, type View } from '../../view.ts'
import { statusOf } from '../../waterfall.ts'
import { matches, uiPage, type Opened } from '../page.ts'
import { tookMs } from '../pulse.ts'
import { lookAtCall } from './calls.ts'

const view: View<LogEntry> = {
  time: {
    ...logView.time!,
    shown: (row) => new Date(row.created_at * 1000).toTimeString().slice(0, 8),
  },
  user: { ...logView.user!, rank: 3 },
  model: text(words('MODEL'), 1, (row) => row.model_name || row.content, { flexible: true, tone: toneOf }),
  channel: { ...logView.channel!, rank: 2 },
  input: { ...logView.prompt_tokens!, rank: 4 },
  output: { ...logView.completion_tokens!, rank: 4 },
  took: ms(words('TOOK'), 2, (row) => (isCall(row) ? tookMs(row) : null)),
  charge: logView.quota!,
  what: { ...logView.content!, rank: 3, of: (row) => (row.type === LOG_TYPE.error ? row.content : null) },
  token: { ...logView.token!, rank: 0 },
  group: logView.group!,
  operation: { ...logView.operation!, rank: 0 },
  stream: logView.stream!,
  first: logView.first_ms!,
  request: logView.request_id!,
  receipt: logView.receipt_id!,
}

const isCall = ({ type }: LogEntry) => type === LOG_TYPE.consumption || type === LOG_TYPE.error

function toneOf({ type }: LogEntry) {
  return type === LOG_TYPE.error ? ('bad' as const) : ('strong' as const)
}

const CALLS = words('calls')
const ERRORS = words('errors')
const SPENT = words('spent')

export const live = uiPage<LogEntry>({
  name: 'live',
  title: words('Live'),
  view,
  empty: words('No calls yet: they show here as they come.'),
  every_ms: 0,
  async load({ pulse }, filter) {
    const last = pulse.last()
    const rows =
      filter === ''
        ? last
        : last.filter((row) =>
            matches(
              filter,
              row.username,
              row.model_name,
              row.channel_name,
              row.token_name,
              row.request_id,
              row.content,
            ),
          )
    return { rows, total: rows.length }
  },
  above({ pulse, language, money: shown }, width) {
    const now = Date.now()
    const room = Math.min(120, width - 26)
    if (room < 20) return []
    const line = (title: string, course: number[], figure: string) =>
      ` ${title.padEnd(language === 'zh' ? 6 : 8)}${sparkline(course, room)} ${figure}`
    const { calls, errors, quota } = pulse.minute(now)
    return [
      line(CALLS[language], pulse.course(now, 'calls'), `${calls}/min`),
      line(ERRORS[language], pulse.course(now, 'errors'), `${errors}/min`),
      line(SPENT[language], pulse.course(now, 'quota'), `${quotaText(quota, shown)}/min`),
    ]
  },
  actions: lookAtCall,
  id: ({ id }) => id,
  copied: ({ request_id }) => request_id,
  async opened({ client, language }, { request_id }): Promise<Opened> {
    if (request_id === '') return []
    const { attempts } = await client.logs.explain({ request_id })
    return attempts.map((attempt, at) => [
      fillTemplate(words('TRY {at}'), { at: at + 1 }),
      [
        ...[attempt.name, attempt.model, statusOf(attempt, language)],
        attempt.ms === undefined ? '' : msText(attempt.ms),
        attempt.why,
      ]
        .filter(Boolean)
        .join('  '),
    ])
  },
})
