// `weir usage`: calls, tokens and cost by user, by other dimensions and by day.
import type { WeirClient } from '../../core/contracts.ts'
import stringWidth from 'fast-string-width'
import { fillTemplate } from '../../core/errors.ts'
import { parseMomentFlag, parsePositiveNumber } from '../input/flags.ts'
import { drawProgressBar, drawSparkline } from '../output/progress.ts'
import { UsageError } from '../failure.ts'
import { command, group, LIST_COMMAND } from '../command.ts'
import { formatQuotaAmount } from '../output/format.ts'
import { waitOrAbort } from '../signals.ts'
import type { UsageDimension, UsageReply, UsageReportRow, UsageShareRow } from '../nouns/usage.ts'
import { drawnUsageView, USAGE_DIMENSIONS, USAGE_ROW_NAMES, usageView } from '../nouns/usage.ts'
import { words } from '../texts.ts'
import { count, time, type OutputView } from '../output/view.ts'

/** Rows that the endpoint returns at most. */
const MAX_GROUPS = 1000
/** Maximum number of days in the sparkline of the total. */
const MAX_SPARKLINE_DAYS = 31
const STEPS: readonly string[] = ['day', 'week', 'month', 'hour']
const ONE_CALL = words('{calls} call, {failed} failed, {charged}   by day {line}')
const CALLS = words('{calls} calls, {failed} failed, {charged}   by day {line}')

const filterOptions = {
  user: { flag: '--user <user>', help: words('only of this user, by id or name') },
  token: { flag: '--token <token>', help: words('only of this token, by id or name') },
  team: { flag: '--team <team>', help: words('only of this team, by id or name') },
  group: { flag: '--group <name>', help: words('only of calls in this group') },
  model: { flag: '--model <name>', help: words('only of this model') },
  channel: {
    flag: '--channel <channel>',
    help: words('only by this channel, by id or name'),
  },
} as const

const list = command({
  endpoint: 'usage.query',
  ...LIST_COMMAND,
  output: { view: usageView, many: true },
  summary: words('Show calls, tokens and charges by user, model, channel, token, team, group or time, largest first'),
  options: {
    by: {
      flag: '--by <what>',
      help: words('dimensions (default: model)'),
      choices: USAGE_DIMENSIONS,
    },
    since: {
      flag: '--since <when>',
      help: words('start: a span like 7d, or a date (default: 30d)'),
    },
    until: { flag: '--until <when>', help: words('end: a span like 2h or 7d, or a date') },
    zone: {
      flag: '--time-zone <name>',
      former: ['--zone'],
      help: words("time zone whose days count (default: the reporting time zone, or this machine's)"),
    },
    ...filterOptions,
    limit: { flag: '--limit <number>', help: words('maximum number of rows, up to 1000 (default: 20)') },
  },
  async run({ client, money, print, options, terminal, language }) {
    const by = (options.by ?? 'model') as UsageDimension
    const isWhole = options.limit === undefined && print.form !== 'human'
    const limit = isWhole ? MAX_GROUPS : parsePositiveNumber('--limit', options.limit ?? '20', MAX_GROUPS)
    const isTime = STEPS.includes(by)
    const { user, token, team, group, model, channel } = options
    const times = {
      from: String(parseMomentFlag('--since', options.since ?? '30d', -1)),
      ...(options.until === undefined ? {} : { to: String(parseMomentFlag('--until', options.until, -1)) }),
    }
    const weir = await client()
    const { report_time_zone } = await weir.site.status()
    const span = {
      ...times,
      zone: options.zone ?? (report_time_zone || Intl.DateTimeFormat().resolvedOptions().timeZone),
      user,
      token,
      team,
      group,
      model,
      channel,
    }
    const step = (isTime ? by : 'total') as 'day' | 'total'
    const answer = await weir.usage.query({
      ...span,
      step,
      ...(isTime ? {} : { by, limit: String(limit) }),
      times: 'true',
    })
    if (isWhole && answer.groups > answer.rows.length)
      throw new UsageError(
        fillTemplate(words('There are more than {limit} rows: narrow them down, or give --limit.'), { limit }),
      )
    const most = isTime ? Math.max(...answer.rows.map(({ quota }) => quota), 0) : answer.total.quota
    const getShare = ({ quota }: UsageReportRow) => (most > 0 ? quota / most : 0)
    const all = isTime ? fillSteps(answer) : answer.rows
    const rows = all.map((row): UsageShareRow => ({
      ...row,
      name: USAGE_ROW_NAMES[by](row) || '-',
      share: getShare(row),
    }))
    const lastSteps = options.limit === undefined ? MAX_SPARKLINE_DAYS : limit
    const shown = isTime && !isWhole ? rows.slice(-lastSteps) : rows
    const isHuman = print.form === 'human'
    await print.list(shown, isHuman ? drawnUsageView : usageView, { empty: NONE })
    if (!isHuman || rows.length === 0) return
    const { total } = answer
    const days = await weir.usage.query({ ...span, step: 'day' })
    const course = fillSteps(days).map(({ quota }) => quota)
    const calls = total.calls.toLocaleString('en-US')
    const charged = formatQuotaAmount(total.quota, await money())
    const describeTotal = (line: string) =>
      fillTemplate(total.calls === 1 ? ONE_CALL : CALLS, { calls, failed: total.failed, charged, line })
    const room = (terminal.columns ?? Infinity) - stringWidth(describeTotal('')[language])
    print.say()
    print.say(describeTotal(drawSparkline(course, Math.max(1, Math.min(course.length, MAX_SPARKLINE_DAYS, room)))))
    if (rows.length > shown.length)
      print.warn(
        fillTemplate(words('The last {shown} of {rows}; --limit shows more.'), {
          shown: shown.length,
          rows: rows.length,
        }),
      )
    if (answer.groups > rows.length && !isTime)
      print.warn(
        fillTemplate(words('{rows} of {groups}; --limit shows more.'), { rows: rows.length, groups: answer.groups }),
      )
  },
})

const NONE = words('No calls in that time.')
const NOTHING = {
  calls: 0,
  failed: 0,
  prompt_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  quota: 0,
  cost: 0,
  errors: {} as UsageReportRow['errors'],
}

/** Returns a row for each step of the span, also for steps without calls; none if there were no calls at all. */
function fillSteps({ rows, steps }: UsageReply): UsageReportRow[] {
  const found = new Map(rows.map((row) => [row.at, row]))
  return rows.length === 0 ? [] : steps.map((step) => found.get(step.at) ?? { ...NOTHING, ...step })
}

type Progress = Awaited<ReturnType<WeirClient['usage']['rebuildProgress']>>

const rebuildView: OutputView<Progress> = {
  from: time(words('FROM'), 1, ({ from }) => from),
  to: time(words('TO'), 1, ({ to }) => to),
  hours: count(words('HOURS'), 1, ({ hours }) => hours),
  done: count(words('DONE'), 1, ({ done }) => done),
  kept: count(words('KEPT'), 1, ({ kept }) => kept),
  calls: count(words('CALLS'), 1, ({ calls }) => calls),
}

const POLL_MS = 300

const rebuild = command({
  endpoint: 'usage.rebuild',
  name: 'rebuild',
  output: { view: rebuildView, many: false },
  summary: words('Recalculate usage from the log, hour by hour'),
  options: {
    since: {
      flag: '--since <when>',
      help: words('start: a span or a date (default: the whole log)'),
    },
    until: { flag: '--until <when>', help: words('end: a span like 2h or 7d, or a date') },
    fewer: {
      flag: '--fewer',
      help: words('also hours of which the log knows fewer calls than were counted'),
    },
  },
  async run({ client, print, ask, options, interrupted }) {
    const at = (flag: string, when: string | undefined) =>
      when === undefined ? '' : String(parseMomentFlag(flag, when, -1))
    const span = { from: at('--since', options.since), to: at('--until', options.until) }
    const weir = await client()
    await weir.usage.rebuild({ ...span, fewer: options.fewer === true })
    let progress = await weir.usage.rebuildProgress()
    const going = async () => {
      if (!progress.running) return
      const signal = interrupted()
      while (progress.running && !signal.aborted) {
        await waitOrAbort(POLL_MS, signal)
        progress = await weir.usage.rebuildProgress()
      }
    }
    await ask.during(() => {
      const far = `${drawProgressBar(progress.done, progress.hours)} ${progress.done}/${progress.hours}`
      return fillTemplate(words('Summing up {far}'), { far })
    }, going())
    const { hours, kept, calls } = progress
    await print.done(progress, rebuildView, {
      human: fillTemplate(words('Recalculated: calls {calls}, hours {hours}; hours left unchanged: {kept}.'), {
        calls,
        hours,
        kept,
      }),
      quietOutput: String(calls),
    })
  },
})

export const usageCommand = group({
  name: 'usage',
  summary: words('Usage by time, people and models'),
  commands: [list, rebuild],
})
