// `weir logs export` and `prune`: the log as a file, and the end of its old rows.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { words } from '../../../core/errors.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../../../core/logs/export.ts'
import { progressBar } from '../../bars.ts'
import { command } from '../../command.ts'
import { timeText } from '../../format.ts'
import { moment, need } from '../../input.ts'
import { logFilterOf, logFilterOptions } from '../../nouns/log.ts'
import { pause } from '../../signals.ts'
import { needSure } from '../../sure.ts'
import { count, time, type View } from '../../view.ts'
import { channelFilter } from './look.ts'

export const exportRows = command({
  name: 'export',
  looks: true,
  summary: words('Write rows of the usage log as CSV or JSON lines', '将使用日志导出为 CSV 或 JSON Lines'),
  options: {
    ...logFilterOptions,
    format: {
      flag: '--format <format>',
      help: words(
        'csv or one JSON object a line (otherwise csv, with --json JSON)',
        'csv 或每行一个 JSON 对象（默认 csv；带 --json 时为 JSON）',
      ),
      choices: EXPORT_FORMATS,
    },
    out: {
      flag: '--out <file>',
      help: words('write to this file (otherwise to standard output)', '写入此文件（默认写到标准输出）'),
    },
  },
  async run({ client, print, options }) {
    const filter = logFilterOf(options)
    const weir = await client()
    const channel = await channelFilter(weir, options.channel)
    const format = (options.format ?? (print.json ? 'jsonl' : 'csv')) as ExportFormat
    const { pieces } = await weir.logs.export({ ...filter, channel, format })
    if (options.out === undefined) return print.file(pieces)
    await pipeline(Readable.from(pieces), createWriteStream(options.out))
    print.say(words(`Written to ${options.out}.`, `已写入 ${options.out}。`))
  },
})

interface Pruned {
  before: number
  removed: number
}

const prunedView: View<Pruned> = {
  before: time(words('OLDER THAN', '早于'), 1, ({ before }) => before),
  removed: count(words('REMOVED', '已删除'), 1, ({ removed }) => removed),
}

const POLL_MS = 500

export const prune = command({
  name: 'prune',
  gives: { view: prunedView, many: false },
  summary: words(
    'Remove old rows of the usage log; the ledger keeps every charge',
    '删除旧的日志记录；账本保留每笔费用',
  ),
  options: {
    before: {
      flag: '--before <when>',
      help: words('rows older than this: a span like 90d, or a date', '删除早于此时的记录：时间段（如 90d）或日期'),
    },
    yes: { flag: '--yes', help: words('do not ask', '不再询问') },
  },
  async run({ client, print, ask, options, interrupted }) {
    need({ '--before': options.before })
    const before = moment('--before', options.before ?? '', -1)
    const sure = needSure(ask, options.yes)
    const weir = await client()
    const { total, total_capped } = await weir.logs.list({ end_timestamp: before - 1, page_size: 1 })
    const [many, when] = [`${total.toLocaleString('en-US')}${total_capped ? '+' : ''}`, timeText(before)]
    await sure(words(`Remove ${many} rows older than ${when}?`, `删除早于 ${when} 的 ${many} 条记录？`))
    const begun = await weir.logs.cleanUp({ target_timestamp: before })
    let removed = begun.data
    let share = ''
    const going = async () => {
      const signal = interrupted()
      for (let running = begun.running; running && !signal.aborted;) {
        await pause(POLL_MS, signal)
        const progress = await weir.logs.cleanUpProgress()
        share = `${progressBar(progress.removed, progress.total)} ${progress.removed}/${progress.total}`
        removed = progress.removed
        running = progress.running
      }
    }
    if (begun.running) await ask.during(() => words(`Removing ${share}`, `正在删除 ${share}`), going())
    await print.done({ before, removed }, prunedView, {
      human: words(
        `Removed ${removed.toLocaleString('en-US')} rows older than ${when}.`,
        `已删除早于 ${when} 的 ${removed.toLocaleString('en-US')} 条记录。`,
      ),
      bare: String(removed),
    })
  },
})
