// Display of the usage log, and the flags that filter it.
import { parseCallDetail } from '../../core/calls/detail.ts'
import { LOG_COLUMNS, type LogColumnName } from '../../core/calls/log-columns.ts'
import { LOG_ROW_TYPE, type LogEntry } from '../../core/calls/log-entry.ts'
import { composeWords, type Words } from '../../core/errors.ts'
import { translateStoredFailure } from '../../core/logs/stored-failures.ts'
import { translateLogText } from '../../core/logs/event-texts.ts'
import { OPERATIONS, type Operation } from '../../core/models/operation.ts'
import { parseQuotaFlag } from '../input/amount.ts'
import { parseMomentFlag, parsePositiveNumber } from '../input/flags.ts'
import { words } from '../texts.ts'
import { count, flag, money, ms, object, text, time, word, type OutputView } from '../output/view.ts'
import { toStateWord } from './states.data.ts'

const TYPES = {
  topup: words('top-up'),
  consumption: words('consumption'),
  admin: words('admin'),
  system: words('system'),
  error: words('error'),
  unknown: words('unknown'),
}

const formatType = ({ type }: LogEntry) => toStateWord(LOG_ROW_TYPE, type)
const isError = ({ type }: LogEntry) => type === LOG_ROW_TYPE.error

const getTitle = (column: LogColumnName): Words => {
  const { label } = LOG_COLUMNS[column]
  return composeWords((language) => (language === 'en' ? label.en.toUpperCase() : label[language]))
}

export const logEntryView: OutputView<LogEntry> = {
  time: time(getTitle('created_at'), 1, (row) => row.created_at, { tone: () => 'faint' }),
  type: word(getTitle('type'), 3, TYPES, formatType, { tone: (row) => (isError(row) ? 'bad' : 'plain') }),
  user: text(getTitle('username'), 2, ({ username }) => username, { flexible: true }),
  token: text(getTitle('token_name'), 4, (row) => row.token_name || null, { flexible: true }),
  channel: text(getTitle('channel'), 3, (row) => (row.channel > 0 ? row.channel_name : null), {
    flexible: true,
    shown: (row) => (row.channel > 0 ? `${row.channel} ${row.channel_name}`.trim() : ''),
  }),
  model: text(getTitle('model_name'), 1, (row) => row.model_name || null, { flexible: true, tone: () => 'strong' }),
  operation: text(getTitle('operation'), 5, ({ operation }) => operation || null),
  prompt_tokens: count(words('IN'), 2, (row) => row.prompt_tokens || null),
  completion_tokens: count(words('OUT'), 2, (row) => row.completion_tokens || null),
  quota: money(words('CHARGE'), 1, ({ quota }) => quota, {
    shown: ({ quota }) => (quota === 0 ? '' : undefined),
  }),
  seconds: count(words('SEC'), 4, (row) => row.use_time || null),
  first_ms: ms(words('FIRST BYTE'), 0, (row) => parseCallDetail(row.other).frt || null),
  content: text(getTitle('content'), 6, ({ content }) => content || null, {
    shown: ({ content }, { language }) =>
      translateStoredFailure(translateLogText(content, language, translateStoredFailure), language),
    flexible: true,
    below: true,
    tone: (row) => (isError(row) ? 'bad' : 'faint'),
  }),
  request_id: text(getTitle('request_id'), 3, (row) => row.request_id || null, { from: 120, identifies: 1 }),
  id: count(getTitle('id'), 0, ({ id }) => id),
  user_id: count(getTitle('user_id'), 0, (row) => row.user_id),
  token_id: count(getTitle('token_id'), 0, (row) => row.token_id || null),
  channel_id: count(words('CHANNEL ID'), 0, ({ channel }) => channel || null),
  group: text(getTitle('group'), 0, ({ group }) => group || null),
  stream: flag(getTitle('is_stream'), 0, (row) => row.is_stream),
  refused_calls: count(words('REFUSED CALLS'), 0, (row) => parseCallDetail(row.other).refused?.calls ?? null),
  receipt_id: text(getTitle('hold_id'), 0, (row) => row.hold_id || null),
  detail: object(getTitle('other'), (row) => parseCallDetail(row.other)),
}

/** The filter flags, the same for every command that reads the log. */
export const logFilterOptions = {
  type: {
    flag: '--type <name>',
    help: words('only rows of this type'),
    choices: Object.keys(LOG_ROW_TYPE).filter((name) => name !== 'unknown'),
  },
  user: { flag: '--user <name>', help: words('only this username') },
  token: { flag: '--token <name>', help: words('only tokens of this name') },
  model: { flag: '--model <name>', help: words('only this model') },
  operation: {
    flag: '--operation <name>',
    help: words('only calls of this kind'),
    choices: [...OPERATIONS],
  },
  channel: { flag: '--channel <channel>', help: words('only this channel, by id or name') },
  group: { flag: '--group <name>', help: words('only this group') },
  request: { flag: '--request <id>', help: words('only this request id') },
  minMs: { flag: '--min-ms <number>', help: words('only calls that took at least this long, in ms') },
  minCost: { flag: '--min-cost <amount>', help: words('only rows of at least this amount, such as 0.5usd') },
  since: {
    flag: '--since <when>',
    help: words('start: a span like 2h or 7d, or a date'),
  },
  until: { flag: '--until <when>', help: words('end: a span like 2h or 7d, or a date') },
} as const

type LogFilterFlags = Partial<Record<keyof typeof logFilterOptions, string>>

/**
 * Builds the filter of the endpoints except for the channel, which has to be looked up, and the cost, which depends on
 * the quota units of a dollar.
 * @throws UsageError naming the flag
 */
export const buildLogFilter = (given: LogFilterFlags) => ({
  type: given.type === undefined ? 0 : LOG_ROW_TYPE[given.type as keyof typeof LOG_ROW_TYPE],
  username: given.user ?? '',
  token_name: given.token ?? '',
  model_name: given.model ?? '',
  operation: (given.operation ?? '') as Operation | '',
  group: given.group ?? '',
  request_id: given.request ?? '',
  min_ms: given.minMs === undefined ? 0 : parsePositiveNumber('--min-ms', given.minMs),
  start_timestamp: given.since === undefined ? 0 : parseMomentFlag('--since', given.since, -1),
  end_timestamp: given.until === undefined ? 0 : parseMomentFlag('--until', given.until, -1),
})

/** Returns the least cost of the rows in quota units. */
export type MinCost = ReturnType<typeof parseQuotaFlag>

/** @throws UsageError naming the flag */
export const parseMinCost = ({ minCost }: LogFilterFlags): MinCost | undefined =>
  minCost === undefined ? undefined : parseQuotaFlag('--min-cost', minCost, { zero: 'refused' })
