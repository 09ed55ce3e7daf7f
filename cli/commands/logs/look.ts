// `weir logs ls` and `tail`: rows of the usage log, once or continuously.
import type { BodyContent } from '../../../core/bodies/stored-body.ts'
import type { WeirClient } from '../../../core/contracts.ts'
import { LOG_EXPORT_FORMATS, type ExportFormat } from '../../../core/logs/export.ts'
import { command, LIST_COMMAND } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { parsePositiveNumber } from '../../input/flags.ts'
import { followLogRows } from '../../connection/log-stream.ts'
import { findChannelId } from '../../nouns/channel.ts'
import { bodyContentView, formatBodyContent } from '../../nouns/stored-body.ts'
import { buildLogFilter, logFilterOptions, logEntryView, parseMinCost } from '../../nouns/log.ts'
import { outFileOption, writeOutputFile } from '../../output/out.ts'
import { parseRequestedRows, buildPageOptions, printRequestedRows, type PageQuery } from '../../output/paging.ts'
import { createValueDecryptor } from '../../state-file.ts'
import { words } from '../../texts.ts'

const DEFAULT_LIMIT = 20

/** Returns the id that filters by a channel; 0 filters nothing. */
export const findChannelFilter = async (weir: WeirClient, name: string | undefined): Promise<number> =>
  name === undefined ? 0 : findChannelId(weir, name)

export const listCommand = command({
  endpoint: 'logs.list',
  ...LIST_COMMAND,
  output: { view: logEntryView, many: true },
  summary: words('List the usage log, newest first; with --follow new rows as they come'),
  options: {
    follow: {
      flag: '--follow',
      help: words('show the last rows and then new ones until Ctrl+C'),
    },
    ...logFilterOptions,
    ...buildPageOptions(DEFAULT_LIMIT),
  },
  async run(context) {
    const { client, money, options, print } = context
    const filter = buildLogFilter(options)
    const minCost = parseMinCost(options)
    const range = parseRequestedRows(options, print, DEFAULT_LIMIT)
    if (options.follow) {
      if (options.page !== undefined) throw new UsageError(words('--follow shows the last rows: leave --page out.'))
      const last = options.limit === undefined ? DEFAULT_LIMIT : range.limit
      return followLogRows(context, { filter, minCost, channel: options.channel, last })
    }
    const weir = await client()
    const channel = await findChannelFilter(weir, options.channel)
    const min_quota = minCost?.(await money())
    const fetch = async (query: PageQuery) => weir.logs.list({ ...filter, min_quota, channel, ...query })
    await printRequestedRows(print, range, fetch, logEntryView, { empty: words('No rows.') })
  },
})

export const tailCommand = command({
  endpoint: 'logs.stream',
  name: 'tail',
  output: { view: logEntryView, many: true },
  summary: words('Follow the usage log: the last rows and then new ones until Ctrl+C'),
  options: {
    ...logFilterOptions,
    last: {
      flag: '--limit <number>',
      former: ['--last'],
      help: words('rows to begin with (default: 10)'),
    },
  },
  async run(context) {
    const { options } = context
    const last = parsePositiveNumber('--limit', options.last ?? '10')
    const filter = buildLogFilter(options)
    await followLogRows(context, { filter, minCost: parseMinCost(options), channel: options.channel, last })
  },
})

// `weir logs export`: the log as a file.

export const exportRowsCommand = command({
  endpoint: 'logs.export',
  name: 'export',
  readOnly: true,
  summary: words('Write rows of the usage log as CSV or JSON lines'),
  options: {
    ...logFilterOptions,
    format: {
      flag: '--format <format>',
      help: words('csv or one JSON object a line (default: csv, with --json JSON)'),
      choices: LOG_EXPORT_FORMATS,
    },
    out: outFileOption,
  },
  async run({ client, money, print, options }) {
    const filter = buildLogFilter(options)
    const minCost = parseMinCost(options)
    const weir = await client()
    const channel = await findChannelFilter(weir, options.channel)
    const format = (options.format ?? (print.json ? 'jsonl' : 'csv')) as ExportFormat
    const { pieces } = await weir.logs.export({ ...filter, min_quota: minCost?.(await money()), channel, format })
    await writeOutputFile(print, pieces, options.out)
  },
})

// `weir logs body`: request and response of one of your calls, decrypted here.

export const bodyCommand = command({
  name: 'body',
  readOnly: true,
  output: { view: bodyContentView, many: false },
  summary: words('The request and the answer of one of your calls, if they are kept (`weir bodies on`)'),
  arguments: { request: { spec: '<request id>', help: words('id of the request') } },
  options: {
    identityFile: {
      flag: '--identity-file <file>',
      help: words('file with the age secret key that decrypts it; it stays on this machine'),
    },
  },
  async run({ client, print, args, options }) {
    const file = options.identityFile
    if (file === undefined) throw new UsageError(words('Give --identity-file.'))
    const opens = await createValueDecryptor(file)
    const { sealed } = await (await client()).bodies.get({ request_id: args.request })
    const content = JSON.parse(await opens(sealed)) as BodyContent
    await print.done(content, bodyContentView, { human: formatBodyContent(content), quietOutput: content.request_id })
  },
})
