// `weir logs prune`: the deletion of old rows of the log.
import type { WeirClient } from '../../../core/contracts.ts'
import { fillTemplate, joinTexts, EMPTY_WORDS, type Words } from '../../../core/errors.ts'
import { requireConfirmation } from '../../input/confirm.ts'
import { parseMomentFlag, parseDurationSeconds } from '../../input/flags.ts'
import { drawProgressBar } from '../../output/progress.ts'
import { command } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { formatLocalTime } from '../../output/format.ts'
import type { ResultPrinter } from '../../output/output.ts'
import { waitOrAbort } from '../../signals.ts'
import { words } from '../../texts.ts'
import { count, object, time, type OutputView } from '../../output/view.ts'

type PrunedKinds = Awaited<ReturnType<WeirClient['logs']['cleanUpProgress']>>['kinds']

interface Pruned {
  /** null if the retention settings decide. */
  before: number | null
  older: number
  removed: number
  kinds: PrunedKinds
}

const prunedView: OutputView<Pruned> = {
  before: time(words('OLDER THAN'), 1, ({ before }) => before),
  older: count(words('ROWS'), 1, ({ older }) => older),
  removed: count(words('REMOVED'), 1, ({ removed }) => removed),
  kinds: object(words('KINDS'), ({ kinds }) => Object.fromEntries(kinds.map(({ kind, rows }) => [kind, rows]))),
}

const KINDS: Record<PrunedKinds[number]['kind'], Words> = {
  calls: words('calls'),
  errors: words('failed calls'),
  events: words('events of accounts'),
}

/** Formats a line for each kind that has rows to delete. */
const formatLines = (kinds: PrunedKinds): Words => {
  const line = ({ kind, rows, oldest, newest }: PrunedKinds[number]) => {
    const many = rows.toLocaleString('en-US')
    const [from, to] = [formatLocalTime(oldest), formatLocalTime(newest)]
    return fillTemplate(words('\n  {kinds}: {many}, {from} to {to}'), { kinds: KINDS[kind], many, from, to })
  }
  const lines = kinds.filter(({ rows }) => rows > 0).map(line)
  return joinTexts(lines, EMPTY_WORDS)
}

const POLL_MS = 500

export const pruneCommand = command({
  endpoint: 'logs.cleanUp',
  name: 'prune',
  output: { view: prunedView, many: false },
  summary: words('Remove old rows of the usage log; the ledger keeps every charge'),
  details: words(
    'Rows go a few at a time, and no charge waits for them. What stays: every entry of the ledger with what its charge was made of, so receipts are signed as before; and the sums of usage. What goes: the rows themselves with their tries and errors, so that `weir logs trace` finds nothing any more. Charges of the first versions, which kept no detail in the ledger, have receipts without their price lines then.\n\nThe settings LogRetentionDays, log.error_days and log.event_days do the same every ten minutes, for each kind of row.',
  ),
  options: {
    keep: {
      flag: '--keep <span>',
      help: words('keep rows of this span, like 90d, and remove older ones'),
    },
    before: {
      flag: '--before <when>',
      help: words('rows older than this: a span like 90d, or a date'),
    },
    dryRun: {
      flag: '--dry-run',
      help: words('only show what would be removed; without a time, by the settings'),
    },
    yes: { flag: '--yes', help: words('do not ask') },
  },
  async run({ client, print, ask, options, interrupted }) {
    const { keep, dryRun } = options
    const isUnspecified = keep === undefined && options.before === undefined
    if (dryRun && isUnspecified) return reportOutdated(await client(), print)
    if (isUnspecified || (keep !== undefined && options.before !== undefined)) throw new UsageError(ONE_OF_TWO)
    if (keep !== undefined && !parseDurationSeconds(keep)) throw new UsageError(NO_SPAN)
    const before =
      keep === undefined ? parseMomentFlag('--before', options.before ?? '', -1) : parseMomentFlag('--keep', keep, -1)
    const sure = dryRun ? undefined : requireConfirmation(ask, options.yes)
    const weir = await client()
    const { older, kinds } = await weir.logs.cleanUpProgress({ target_timestamp: before })
    const [many, when] = [older.toLocaleString('en-US'), formatLocalTime(before)]
    if (!sure)
      return print.done({ before, older, removed: 0, kinds }, prunedView, {
        human: join(fillTemplate(words('{many} rows are older than {when}.'), { many, when }), formatLines(kinds)),
        quietOutput: String(older),
      })
    await sure(fillTemplate(words('Remove {many} rows older than {when}?'), { many, when }))
    const started = await weir.logs.cleanUp({ target_timestamp: before })
    let removed = started.data
    let share = ''
    const going = async () => {
      const signal = interrupted()
      for (let running = started.running; running && !signal.aborted;) {
        await waitOrAbort(POLL_MS, signal)
        const progress = await weir.logs.cleanUpProgress()
        share = `${drawProgressBar(progress.removed, progress.total)} ${progress.removed}/${progress.total}`
        removed = progress.removed
        running = progress.running
      }
    }
    if (started.running) await ask.during(() => fillTemplate(words('Removing {share}'), { share }), going())
    await print.done({ before, older, removed, kinds }, prunedView, {
      human: fillTemplate(words('Removed {removed} rows older than {when}.'), {
        removed: removed.toLocaleString('en-US'),
        when,
      }),
      quietOutput: String(removed),
    })
  },
})

/** Reports the rows that the retention settings will delete. */
async function reportOutdated(weir: WeirClient, print: ResultPrinter): Promise<void> {
  const { kinds } = await weir.logs.cleanUpProgress({ by_settings: 'true' })
  const older = kinds.reduce((sum, { rows }) => sum + rows, 0)
  const many = older.toLocaleString('en-US')
  await print.done({ before: null, older, removed: 0, kinds }, prunedView, {
    human: join(
      fillTemplate(words('{many} rows are older than the settings keep them.'), { many }),
      formatLines(kinds),
    ),
    quietOutput: String(older),
  })
}

const join = (one: Words, other: Words): Words => joinTexts([one, other], EMPTY_WORDS)

const ONE_OF_TWO = words('Give --keep or --before, one of them.')
const NO_SPAN = words('--keep takes a span like 90d.')
