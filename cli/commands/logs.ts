// `weir logs …`: the usage log, once or as it grows.
import { LOG_TYPE, type LogEntry } from '../../core/calls/log-entry.ts'
import { OPERATIONS, type Operation } from '../../core/models/operation.ts'
import { billLines } from '../bill.ts'
import { command, group } from '../command.ts'
import { Refusal } from '../failure.ts'
import { logTypeName, quotaText, timeText, type MoneyView } from '../format.ts'
import { moment, wholeNumber } from '../input.ts'
import { followLogs } from '../log-follower.ts'
import type { Column } from '../table.ts'

/** Terminals with fewer places show times without the year. */
const NARROW = 130
const YEAR = 'yyyy-'.length

const columns = (money: MoneyView, narrow: boolean): Column<LogEntry>[] => [
  { title: 'TIME', rank: 1, value: (row) => timeText(row.created_at).slice(narrow ? YEAR : 0), tone: () => 'faint' },
  {
    title: 'TYPE',
    rank: 3,
    value: (row) => logTypeName(row.type),
    tone: (row) => (row.type === LOG_TYPE.error ? 'bad' : 'plain'),
  },
  { title: 'USER', rank: 2, flexible: true, value: (row) => row.username },
  { title: 'TOKEN', rank: 4, flexible: true, value: (row) => row.token_name },
  {
    title: 'CHANNEL',
    rank: 3,
    flexible: true,
    value: (row) => (row.channel > 0 ? `${row.channel} ${row.channel_name}`.trim() : ''),
  },
  { title: 'MODEL', rank: 1, flexible: true, value: (row) => row.model_name, tone: () => 'strong' },
  { title: 'OPERATION', rank: 5, value: (row) => row.operation },
  { title: 'IN', rank: 2, value: (row) => row.prompt_tokens || '', right: true },
  { title: 'OUT', rank: 2, value: (row) => row.completion_tokens || '', right: true },
  { title: 'CHARGE', rank: 1, value: (row) => (row.quota === 0 ? '' : quotaText(row.quota, money)), right: true },
  { title: 'SEC', rank: 4, value: (row) => row.use_time || '', right: true },
  { title: 'CONTENT', rank: 5, flexible: true, value: (row) => row.content, tone: () => 'faint' },
]

const list = command({
  name: 'list',
  summary: 'List the usage log, newest first; with --follow new rows as they come',
  isDefault: true,
  options: {
    follow: { flag: '--follow', help: 'show the last rows and then new ones until Ctrl+C' },
    type: {
      flag: '--type <name>',
      help: 'only rows of this type',
      choices: Object.keys(LOG_TYPE).filter((name) => name !== 'unknown'),
    },
    user: { flag: '--user <name>', help: 'only this username' },
    token: { flag: '--token <name>', help: 'only tokens of this name' },
    model: { flag: '--model <name>', help: 'only this model' },
    operation: { flag: '--operation <name>', help: 'only calls of this kind', choices: [...OPERATIONS] },
    channel: { flag: '--channel <id>', help: 'only this channel' },
    group: { flag: '--group <name>', help: 'only this group' },
    request: { flag: '--request <id>', help: 'only this request id' },
    since: { flag: '--since <when>', help: 'from then on: a span like 2h or 7d, or a date' },
    until: { flag: '--until <when>', help: 'up to then' },
    page: { flag: '--page <number>', help: 'page, from 1' },
    limit: { flag: '--limit <number>', help: 'rows per page, up to 100 (otherwise 20)' },
  },
  async run(context) {
    const { options, print, terminal } = context
    const narrow = (terminal.columns ?? NARROW) < NARROW
    const filter = {
      type: options.type === undefined ? 0 : LOG_TYPE[options.type as keyof typeof LOG_TYPE],
      username: options.user ?? '',
      token_name: options.token ?? '',
      model_name: options.model ?? '',
      operation: (options.operation ?? '') as Operation | '',
      channel: wholeNumber('--channel', options.channel ?? '0'),
      group: options.group ?? '',
      request_id: options.request ?? '',
      start_timestamp: options.since === undefined ? 0 : moment('--since', options.since, -1),
      end_timestamp: options.until === undefined ? 0 : moment('--until', options.until, -1),
    }
    const page_size = wholeNumber('--limit', options.limit ?? '20')
    const p = wholeNumber('--page', options.page ?? '1')
    if (options.follow) return followLogs(context, { filter, page_size, columns: (money) => columns(money, narrow) })
    const weir = await context.client()
    const page = await weir.logs.list({ ...filter, p, page_size })
    await print.rows(page.items, columns(await weir.site.status(), narrow), { empty: 'No rows.' })
    if (page.total > page.items.length)
      print.warn(`${page.items.length} of ${page.total} rows; --page and --limit show the others.`)
  },
})

const explain = command({
  name: 'explain',
  summary: 'Why a call cost what it did: each line of its charge, the rounding, the balance before and after',
  arguments: { request: { spec: '<request id>', help: 'id of the request, from its x-request-id header or the log' } },
  options: {
    receipt: {
      flag: '--receipt <id>',
      help: 'of several charges of the request (turns of a session) this one; otherwise the last',
    },
  },
  async run({ client, print, args, options, terminal }) {
    const weir = await client()
    const asked = {
      request_id: args.request,
      ...(options.receipt === undefined ? {} : { receipt_id: options.receipt }),
    }
    const bill = await weir.logs.explain(asked).catch((error: unknown) => {
      // Who is no administrator may ask for their own calls.
      if (error instanceof Refusal && error.code === 'access.forbidden') return weir.logs.explainSelf(asked)
      throw error
    })
    const human =
      print.json || print.quiet ? '' : billLines(bill, await weir.site.status(), terminal.columns).join('\n')
    await print.result(bill, { human, bare: String(bill.quota) })
  },
})

export const logs = group({ name: 'logs', summary: 'The usage log', commands: [list, explain] })
