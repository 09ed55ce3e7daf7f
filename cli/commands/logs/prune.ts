// `weir logs prune`: the deletion of old rows of the log.
import type { WeirClient } from '../../../core/contracts.ts'
import { words, type Words } from '../../../core/errors.ts'
import { requireConfirmation } from '../../confirm.ts'
import { moment, seconds } from '../../flags.ts'
import { progressBar } from '../../progress.ts'
import { command } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { timeText } from '../../format.ts'
import type { Printer } from '../../output.ts'
import { pause } from '../../signals.ts'
import { count, object, time, type View } from '../../view.ts'

type Kinds = Awaited<ReturnType<WeirClient['logs']['cleanUpProgress']>>['kinds']

interface Pruned {
  /** null if the retention settings decide. */
  before: number | null
  older: number
  removed: number
  kinds: Kinds
}

const prunedView: View<Pruned> = {
  before: time(words('OLDER THAN', '早于'), 1, ({ before }) => before),
  older: count(words('ROWS', '记录数'), 1, ({ older }) => older),
  removed: count(words('REMOVED', '已删除'), 1, ({ removed }) => removed),
  kinds: object(words('KINDS', '类别'), ({ kinds }) => Object.fromEntries(kinds.map(({ kind, rows }) => [kind, rows]))),
}

const KINDS: Record<Kinds[number]['kind'], Words> = {
  calls: words('calls', '调用'),
  errors: words('failed calls', '失败调用'),
  events: words('events of accounts', '账户事件'),
}

/** Formats a line for each kind that has rows to delete. */
const formatLines = (kinds: Kinds): Words => {
  const line = ({ kind, rows, oldest, newest }: Kinds[number]) => {
    const many = rows.toLocaleString('en-US')
    const [from, to] = [timeText(oldest), timeText(newest)]
    return words(`\n  ${KINDS[kind].en}: ${many}, ${from} to ${to}`, `\n  ${KINDS[kind].zh}：${many}，${from} 至 ${to}`)
  }
  const lines = kinds.filter(({ rows }) => rows > 0).map(line)
  return words(lines.map(({ en }) => en).join(''), lines.map(({ zh }) => zh).join(''))
}

const POLL_MS = 500

export const prune = command({
  name: 'prune',
  output: { view: prunedView, many: false },
  summary: words(
    'Remove old rows of the usage log; the ledger keeps every charge',
    '删除旧的日志记录；账本保留每笔费用',
  ),
  details: words(
    'Rows go a few at a time, and no charge waits for them. What stays: every entry of the ledger with what its charge was made of, so receipts are signed as before; and the sums of usage. What goes: the rows themselves with their tries and errors, so that `weir logs trace` finds nothing any more. Charges of the first versions, which kept no detail in the ledger, have receipts without their price lines then.\n\nThe settings LogRetentionDays, log.error_days and log.event_days do the same every ten minutes, for each kind of row.',
    '记录分批删除，计费无需等待。保留：账本的每个条目及其费用构成，因此收据照常签发；以及用量汇总。删除：日志记录本身及其尝试与错误，`weir logs trace` 将查不到。最早版本的费用未在账本中保存明细，其收据此后不再含价格行。\n\n设置 LogRetentionDays、log.error_days 与 log.event_days 每十分钟按记录类别执行同样的操作。',
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
    dryRun: {
      flag: '--dry-run',
      help: words(
        'only show what would be removed; without a time, by the settings',
        '仅说明将删除的内容；未给出时间则按设置',
      ),
    },
    yes: { flag: '--yes', help: words('do not ask', '不再询问') },
  },
  async run({ client, print, ask, options, interrupted }) {
    const { keep, dryRun } = options
    const isUnspecified = keep === undefined && options.before === undefined
    if (dryRun && isUnspecified) return reportOutdated(await client(), print)
    if (isUnspecified || (keep !== undefined && options.before !== undefined)) throw new UsageError(ONE_OF_TWO)
    if (keep !== undefined && !seconds(keep)) throw new UsageError(NO_SPAN)
    const before = keep === undefined ? moment('--before', options.before ?? '', -1) : moment('--keep', keep, -1)
    const sure = dryRun ? undefined : requireConfirmation(ask, options.yes)
    const weir = await client()
    const { older, kinds } = await weir.logs.cleanUpProgress({ target_timestamp: before })
    const [many, when] = [older.toLocaleString('en-US'), timeText(before)]
    if (!sure)
      return print.done({ before, older, removed: 0, kinds }, prunedView, {
        human: join(words(`${many} rows are older than ${when}.`, `${many} 条记录早于 ${when}。`), formatLines(kinds)),
        bare: String(older),
      })
    await sure(words(`Remove ${many} rows older than ${when}?`, `删除早于 ${when} 的 ${many} 条记录？`))
    const started = await weir.logs.cleanUp({ target_timestamp: before })
    let removed = started.data
    let share = ''
    const going = async () => {
      const signal = interrupted()
      for (let running = started.running; running && !signal.aborted;) {
        await pause(POLL_MS, signal)
        const progress = await weir.logs.cleanUpProgress()
        share = `${progressBar(progress.removed, progress.total)} ${progress.removed}/${progress.total}`
        removed = progress.removed
        running = progress.running
      }
    }
    if (started.running) await ask.during(() => words(`Removing ${share}`, `正在删除 ${share}`), going())
    await print.done({ before, older, removed, kinds }, prunedView, {
      human: words(
        `Removed ${removed.toLocaleString('en-US')} rows older than ${when}.`,
        `已删除早于 ${when} 的 ${removed.toLocaleString('en-US')} 条记录。`,
      ),
      bare: String(removed),
    })
  },
})

/** Reports the rows that the retention settings will delete. */
async function reportOutdated(weir: WeirClient, print: Printer): Promise<void> {
  const { kinds } = await weir.logs.cleanUpProgress({ by_settings: 'true' })
  const older = kinds.reduce((sum, { rows }) => sum + rows, 0)
  const many = older.toLocaleString('en-US')
  await print.done({ before: null, older, removed: 0, kinds }, prunedView, {
    human: join(
      words(`${many} rows are older than the settings keep them.`, `${many} 条记录超出设置的保留时间。`),
      formatLines(kinds),
    ),
    bare: String(older),
  })
}

const join = (one: Words, other: Words): Words => words(`${one.en}${other.en}`, `${one.zh}${other.zh}`)

const ONE_OF_TWO = words('Give --keep or --before, one of them.', '请给出 --keep 或 --before 之一。')
const NO_SPAN = words('--keep takes a span like 90d.', '--keep 须为时间段，如 90d。')
