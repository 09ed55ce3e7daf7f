// Live traffic: figures of the last minutes, and the last calls.
import { LOG_ROW_TYPE, type LogEntry } from '../../../core/calls/log-entry.ts'
import { fillTemplate } from '../../../core/errors.ts'
import { drawSparkline } from '../../output/progress.ts'
import { formatQuotaAmount } from '../../output/format.ts'
import { logEntryView } from '../../nouns/log.ts'
import { words } from '../../texts.ts'
import { ms, formatMilliseconds, text, type OutputView } from '../../output/view.ts'
import { getAttemptStatus } from '../../output/waterfall.ts'
import { matchesFilter, declareUiPage, type OpenedDetails } from '../page.ts'
import { getCallDuration } from '../pulse.ts'
import { lookAtCall } from './calls.ts'

const view: OutputView<LogEntry> = {
  time: {
    ...logEntryView.time!,
    shown: (row) => new Date(row.created_at * 1000).toTimeString().slice(0, 8),
  },
  user: { ...logEntryView.user!, rank: 3 },
  model: text(words('MODEL'), 1, (row) => row.model_name || row.content, { flexible: true, tone: chooseTone }),
  channel: { ...logEntryView.channel!, rank: 2 },
  input: { ...logEntryView.prompt_tokens!, rank: 4 },
  output: { ...logEntryView.completion_tokens!, rank: 4 },
  took: ms(words('TOOK'), 2, (row) => (isCall(row) ? getCallDuration(row) : null)),
  charge: logEntryView.quota!,
  what: { ...logEntryView.content!, rank: 3, of: (row) => (row.type === LOG_ROW_TYPE.error ? row.content : null) },
  token: { ...logEntryView.token!, rank: 0 },
  group: logEntryView.group!,
  operation: { ...logEntryView.operation!, rank: 0 },
  stream: logEntryView.stream!,
  first: logEntryView.first_ms!,
  request: logEntryView.request_id!,
  receipt: logEntryView.receipt_id!,
}

const isCall = ({ type }: LogEntry) => type === LOG_ROW_TYPE.consumption || type === LOG_ROW_TYPE.error

function chooseTone({ type }: LogEntry) {
  return type === LOG_ROW_TYPE.error ? ('bad' as const) : ('strong' as const)
}

const CALLS = words('calls')
const ERRORS = words('errors')
const SPENT = words('spent')

export const livePage = declareUiPage<LogEntry>({
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
            matchesFilter(
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
      ` ${title.padEnd(language === 'zh' ? 6 : 8)}${drawSparkline(course, room)} ${figure}`
    const { calls, errors, quota } = pulse.minute(now)
    return [
      line(CALLS[language], pulse.course(now, 'calls'), `${calls}/min`),
      line(ERRORS[language], pulse.course(now, 'errors'), `${errors}/min`),
      line(SPENT[language], pulse.course(now, 'quota'), `${formatQuotaAmount(quota, shown)}/min`),
    ]
  },
  actions: lookAtCall,
  id: ({ id }) => id,
  copied: ({ request_id }) => request_id,
  async opened({ client, language }, { request_id }): Promise<OpenedDetails> {
    if (request_id === '') return []
    const { attempts } = await client.logs.explain({ request_id })
    return attempts.map((attempt, at) => [
      fillTemplate(words('TRY {at}'), { at: at + 1 }),
      [
        ...[attempt.name, attempt.model, getAttemptStatus(attempt, language)],
        attempt.ms === undefined ? '' : formatMilliseconds(attempt.ms),
        attempt.why,
      ]
        .filter(Boolean)
        .join('  '),
    ])
  },
})
