// Usage statistics: calls and costs by user and model, summed up by time.
import type { Feature } from '../feature.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Settings } from '../settings/index.ts'
import { usageContract } from './contract.ts'
import type { RollUp } from './roll-up.ts'
import { toAuditAuthor } from '../audit/audit.ts'
import { type ContractHandlers, requireUser } from '../auth/caller.ts'
import { fail } from '../errors.ts'
import { getPeriodSpan } from '../quota/calendar.ts'
import type { Logger } from '../ports/logger.ts'
import type { Storage } from '../ports/storage.ts'
import { MAX_USER_SPAN } from './hours.ts'
import { parseMomentSeconds } from './moment.ts'
import { createRebuild } from './rebuild.ts'
import { toMeasures } from './report.ts'
import { createOffsetLookup, listTimeSteps, type GetZoneOffset, type TimeStep } from './steps.ts'
import type { UsageDimension, UsageOrder, UsageQuestion } from './store.ts'
import { DAY_SECONDS, SLOT_SECONDS, getSlotStart } from './sums.ts'

interface UsagePorts {
  storage: Storage
  clock: Clock
  logger: Logger
  rollUp: RollUp
  settings(): Settings
}

/** More steps than any chart shows. */
const MOST_STEPS = 1000
const MOST_ROWS = 50_000
/** Seconds of each, roughly; of a month its least. */
const LENGTHS: Record<TimeStep, number> = { total: Infinity, hour: 3600, day: 86_400, week: 604_800, month: 2_419_200 }
/** The end of the year 9999. */
const END_OF_TIME = 253_402_300_799

/** The members of a row that name a group. */
const NAMED = {
  user: ['user_id', 'username'],
  token: ['token_id', 'token_name'],
  team: ['team_id', 'team_name'],
  channel: ['channel_id', 'channel_name'],
} as const
const isNamed = (dimension: UsageDimension): dimension is keyof typeof NAMED => Object.hasOwn(NAMED, dimension)

interface UsageQuery {
  from: string
  to: string
  zone: string
  step: TimeStep
  limit: number
  times: boolean
  /** Whether to add the sums of all groups in each step. */
  course: boolean
  /** Whether to add the total of the period before, which is as long. */
  previous: boolean
  by: readonly UsageDimension[]
  order: UsageOrder
}

function createUsageHandlers(ports: UsagePorts): ContractHandlers<typeof usageContract> {
  const { storage, clock, rollUp } = ports
  const rebuild = createRebuild(ports)

  async function answer(
    { from, to, zone, step, course, previous, ...query }: UsageQuery,
    filters: UsageQuestion['filters'],
  ) {
    const offsetAt = createOffsetLookup(zone || ports.settings().ReportTimeZone)
    const span = parseSpan(from, to, seconds(clock), offsetAt)
    if ((span.to - span.from) / LENGTHS[step] > MOST_STEPS) fail('usage.steps', { most: MOST_STEPS })
    const steps = listTimeSteps(step, offsetAt, span.from, span.to)
    // The query includes the latest counts.
    await rollUp.flush()
    const limit = Math.min(query.limit, Math.floor(MOST_ROWS / steps.length))
    const earlier = { from: Math.max(0, 2 * span.from - span.to), to: span.from }
    const starts = steps.map(({ at }) => at)
    const [found, whole, before] = await Promise.all([
      storage.usage.ask({ ...query, ...span, limit, filters, starts }),
      course ? storage.usage.ask({ ...query, ...span, by: [], limit: 1, filters, starts }) : undefined,
      previous
        ? storage.usage.ask({ ...query, ...earlier, by: [], limit: 1, filters, starts: [earlier.from] })
        : undefined,
    ])
    const named = query.by.filter(isNamed)
    const names = await Promise.all(
      named.map((dimension) =>
        storage.usage.names(dimension, [...new Set(found.rows.map(({ by }) => Number(by[dimension])))]),
      ),
    )
    const dates = new Map(steps.map(({ at, date }) => [at, date]))
    const toTime = (at: number) => ({ at, date: dates.get(at) ?? '' })
    return {
      ...span,
      steps,
      rows: found.rows.map(({ at, by, counts }) => ({
        ...toTime(at),
        ...(by.group === undefined ? {} : { group: String(by.group) }),
        ...(by.model === undefined ? {} : { model_name: String(by.model) }),
        ...Object.fromEntries(
          named.flatMap((dimension, place) => {
            const id = Number(by[dimension])
            const [idName, name] = NAMED[dimension]
            return [
              [idName, id],
              [name, names[place]?.get(id) ?? (id > 0 ? `#${id}` : '')],
            ]
          }),
        ),
        ...toMeasures(counts),
      })),
      ...(whole ? { course: whole.rows.map(({ at, counts }) => ({ ...toTime(at), ...toMeasures(counts) })) } : {}),
      total: toMeasures(found.total),
      ...(before ? { previous: toMeasures(before.total) } : {}),
      groups: found.groups,
    }
  }

  return {
    query: ({ user, token, team, group, model, channel, ...query }) =>
      answer(query, toFilters({ user, token, team, group, model, channel })),
    async querySelf({ token, team, group, model, ...query }, { caller }) {
      const { id } = requireUser(caller)
      return answer(query, { ...toFilters({ token, team, group, model }), user: id })
    },
    async dashboard(_, { caller }) {
      const { id } = requireUser(caller)
      const today = getPeriodSpan('day', ports.settings().ReportTimeZone, seconds(clock)).start
      // Noon, since a day may have 23 or 25 hours.
      const first = getPeriodSpan('day', ports.settings().ReportTimeZone, today - 6 * DAY_SECONDS + DAY_SECONDS / 2)
      const from = String(first.start)
      const query = { from, to: '', zone: '', step: 'day', by: ['model'], order: 'quota' } as const
      const { rows } = await answer(
        { ...query, times: false, course: false, previous: false, limit: MOST_ROWS },
        { user: id },
      )
      return rows.map(({ date, model_name, calls, failed, quota, prompt_tokens, output_tokens }) => ({
        Day: date,
        ModelName: model_name ?? '',
        RequestCount: calls - failed,
        Quota: quota,
        PromptTokens: prompt_tokens,
        CompletionTokens: output_tokens,
      }))
    },
    async rebuild({ from, to, fewer }, { caller }) {
      const utc = createOffsetLookup('')
      const span = {
        ...(from ? { from: moment('from', from, utc) } : {}),
        ...(to ? { to: moment('to', to, utc) } : {}),
      }
      const row = { ...toAuditAuthor(caller), created_at: seconds(clock), action: 'usage.rebuild', target: 'usage' }
      // It takes as long as it takes: what is recorded is that it was begun.
      await storage.transaction(async ({ audit }) => {
        if (rebuild.progress().running) fail('usage.rebuilding')
        await audit.insert([{ ...row, before: '', after: JSON.stringify({ ...span, fewer }) }])
      })
      const run = rebuild.start(span, fewer) ?? fail('usage.rebuilding')
      // The failure is in the log and in the progress.
      run.catch(() => undefined)
      return null
    },
    rebuildProgress: async () => rebuild.progress(),
    async hours({ username, start_timestamp, end_timestamp }) {
      await rollUp.flush()
      const range = { start_timestamp, end_timestamp: end_timestamp || seconds(clock) }
      return storage.usage.hours(username === '' ? range : { ...range, username })
    },
    async hoursSelf({ start_timestamp, end_timestamp: until }, { caller }) {
      const { id: user_id } = requireUser(caller)
      const end_timestamp = until || seconds(clock)
      const from = start_timestamp || end_timestamp - MAX_USER_SPAN
      if (end_timestamp - from > MAX_USER_SPAN) fail('data.span')
      await rollUp.flush()
      return storage.usage.hours({ user_id, start_timestamp: from, end_timestamp })
    },
  }
}

/**
 * Returns the period in whole quarters of an hour; by default the last 30 days. @throws GatewayError usage.time,
 * usage.span
 */
function parseSpan(from: string, to: string, now: number, offsetAt: GetZoneOffset) {
  const end = to === '' ? now + 1 : moment('to', to, offsetAt)
  const begin = from === '' ? end - MAX_USER_SPAN : moment('from', from, offsetAt)
  if (begin >= end || end > END_OF_TIME) fail('usage.span')
  return { from: getSlotStart(Math.max(0, begin)), to: getSlotStart(end + SLOT_SECONDS - 1) }
}

/** Parses one field of the period. */
const moment = (field: 'from' | 'to', text: string, offsetAt: GetZoneOffset): number =>
  parseMomentSeconds(text, offsetAt) ?? fail('usage.time', { field })

const BY_NAME = new Set<string>(['group', 'model'])

/** Converts the filters. A number is an id of a user, team or channel. */
function toFilters(query: Partial<Record<UsageDimension, string>>): UsageQuestion['filters'] {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return Object.fromEntries(
    given.map(([name, value]) => [name, !BY_NAME.has(name) && /^\d{1,15}$/.test(value) ? Number(value) : value]),
  )
}

// Writes what was summed up of calls.

interface UsageJobPorts {
  clock: Clock
  rollUp: RollUp
  settings(): Settings
}

const MINUTE_MS = 60_000

/** Checks every minute, since the interval may change. */
function createUsageJobs({ clock, rollUp, settings }: UsageJobPorts) {
  let last = 0

  async function write(): Promise<void> {
    if (clock.now() - last < settings().DataExportInterval * MINUTE_MS) return
    last = clock.now()
    await rollUp.flush()
  }
  return [{ name: 'write usage by hour', every_ms: MINUTE_MS, run: write }]
}

export const usageFeature: Feature<UsagePorts, typeof usageContract> = {
  contract: usageContract,
  handlers: createUsageHandlers,
  jobs: createUsageJobs,
  sinks: ({ rollUp }) => [rollUp.sink],
}
