// `weir logs export` and `prune`: the log as a file, and the end of its old rows.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { words } from '../../../core/errors.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../../../core/logs/export.ts'
import { progressBar } from '../../bars.ts'
import { command } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { timeText } from '../../format.ts'
import { moment, seconds } from '../../input.ts'
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
  older: number
  removed: number
}

const prunedView: View<Pruned> = {
  before: time(words('OLDER THAN', '早于'), 1, ({ before }) => before),
  older: count(words('ROWS', '记录数'), 1, ({ older }) => older),
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
  details: words(
    'Rows go a few at a time, and no charge waits for them. What stays: every entry of the ledger with what its charge was made of, so receipts are signed as before; and the sums of usage. What goes: the rows themselves with their tries and errors, so that `weir logs trace` finds nothing any more. Charges of the first versions, which kept no detail in the ledger, have receipts without their price lines then.\n\nThe setting LogRetentionDays does the same every ten minutes.',
    '记录分批删除，计费无需等待。保留：账本的每个条目及其费用构成，因此收据照常签发；以及用量汇总。删除：日志记录本身及其尝试与错误，`weir logs trace` 将查不到。最早版本的费用未在账本中保存明细，其收据此后不再含价格行。\n\n设置 LogRetentionDays 每十分钟执行同样的操作。',
  ),
  options: {
    keep: {
      flag: '--keep <span>',
      help: words(
        'keep rows of so long, like 90d, and remove the older ones',
        '保留此时间段（如 90d）内的记录，删除更早的',
      ),
    },
    before: {
      flag: '--before <when>',
      help: words('rows older than this: a span like 90d, or a date', '删除早于此时的记录：时间段（如 90d）或日期'),
    },
    dryRun: { flag: '--dry-run', help: words('only count them', '仅统计数量') },
    yes: { flag: '--yes', help: words('do not ask', '不再询问') },
  },
  async run({ client, print, ask, options, interrupted }) {
    const { keep, dryRun } = options
    if ((keep === undefined) === (options.before === undefined)) throw new UsageError(ONE_OF_TWO)
    if (keep !== undefined && !seconds(keep)) throw new UsageError(NO_SPAN)
    const before = keep === undefined ? moment('--before', options.before ?? '', -1) : moment('--keep', keep, -1)
    const sure = dryRun ? undefined : needSure(ask, options.yes)
    const weir = await client()
    const { older } = await weir.logs.cleanUpProgress({ target_timestamp: before })
    const [many, when] = [older.toLocaleString('en-US'), timeText(before)]
    if (!sure)
      return print.done({ before, older, removed: 0 }, prunedView, {
        human: words(`${many} rows are older than ${when}.`, `${many} 条记录早于 ${when}。`),
        bare: String(older),
      })
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
    await print.done({ before, older, removed }, prunedView, {
      human: words(
        `Removed ${removed.toLocaleString('en-US')} rows older than ${when}.`,
        `已删除早于 ${when} 的 ${removed.toLocaleString('en-US')} 条记录。`,
      ),
      bare: String(removed),
    })
  },
})

const ONE_OF_TWO = words('Give --keep or --before, one of them.', '请给出 --keep 或 --before 之一。')
const NO_SPAN = words('--keep takes a span like 90d.', '--keep 须为时间段，如 90d。')
