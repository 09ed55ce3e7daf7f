// Sends new rows of the log to all followers, with one query of the database for all of them while there is at least
// one.
import { truncateToColumn } from '../calls/log-columns.ts'
import type { LogEntry } from '../calls/log-entry.ts'
import type { EventReply, ServerSentEvent } from '../contract/replies.ts'
import { fail } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { LogFilter } from './log.ts'
import { createDurationMatcher, createModelMatcher } from './row-filters.ts'
import type { LogStore } from './store.ts'

// Tests whether a row in memory matches a filter, with the same result as the database (`LogFilter`).

/** Creates the filter of a feed. Users are given by id; 0, empty and absent values do not filter. */
export function createRowMatcher(filter: Omit<LogFilter, 'username' | 'team_id'>): (row: LogEntry) => boolean {
  const { start_timestamp = 0, end_timestamp, model_name = '', min_ms = 0, min_quota = 0, ...equal } = filter
  const same = Object.entries(equal)
    .filter(([, value]) => value)
    .map(
      ([name, value]) =>
        [name, typeof value === 'string' ? truncateToColumn(name, value) : value] as [keyof LogEntry, unknown],
    )
  const matchesModel = createModelMatcher(model_name)
  const matchesDuration = createDurationMatcher(min_ms)
  return (row) =>
    same.every(([name, value]) => (Array.isArray(value) ? value.includes(row[name]) : row[name] === value)) &&
    matchesModel(row) &&
    matchesDuration(row) &&
    (!min_quota || row.quota >= min_quota) &&
    row.created_at >= start_timestamp &&
    (!end_timestamp || row.created_at <= end_timestamp)
}

/** Interval between queries for new rows, in ms. SQLite is queried more often, since that costs next to nothing. */
const LOOK_MS = { sqlite: 200, postgres: 1000 }
const BATCH = 500
/** Rows that wait for a follower who does not read; what comes behind is counted, and skipped. */
const MOST_WAITING = 1000
/** Maximum number of streams per user and process. */
const MOST_STREAMS = 5
/** If more rows than this were missed, over all users, a returning follower only gets their number. */
const MOST_MISSED = 100_000
/**
 * Time in ms after which a missing id is given up. Processes that share a database take ids in one order and commit in
 * another, so a row waits for the ids before it.
 */
const GAP_MS = 3000
/** Age in seconds after which no missing row can be written any more. */
const YOUNG_SECONDS = 30

export interface FeedSubscription {
  user_id: number
  filter: Omit<LogFilter, 'username' | 'team_id'>
  /** Id of the last received row; 0 to start with the next one. */
  after: number
  /** Number of rows before the next one to begin with. A follower who returns has them. */
  tail: number
  shown(row: LogEntry): LogEntry
}

export interface LogFeed {
  /** @throws GatewayError log.streams */
  follow(follow: FeedSubscription): Promise<EventReply>
  /** Ends all subscriptions. */
  close(): void
}

interface LogFeedPorts {
  storage: { kind: 'sqlite' | 'postgres'; logs: LogStore }
  clock: Clock
  logger: Logger
}

export function createLogFeed({ storage, clock, logger }: LogFeedPorts): LogFeed {
  const { logs, kind } = storage
  const followers = new Set<Follower>()
  /** The last row that was passed on; rows behind it are. */
  let cursor = 0
  let gap: { before: number; since: number } | undefined
  let beginning: Promise<void> | undefined
  let stop: (() => void) | undefined
  let looking = false

  /** Rows at their beginning of which none is still to come before them. */
  function settled(rows: LogEntry[]): LogEntry[] {
    if (kind === 'sqlite') return rows
    const now = clock.now()
    let last = cursor
    for (const [place, { id, created_at }] of rows.entries()) {
      if (id > last + 1 && now - created_at * 1000 < YOUNG_SECONDS * 1000) {
        if (gap?.before !== id) gap = { before: id, since: now }
        if (now - gap.since < GAP_MS) return rows.slice(0, place)
      }
      last = id
    }
    return rows
  }

  async function look(): Promise<void> {
    if (looking) return
    looking = true
    try {
      for (;;) {
        const found = await logs.after(cursor, BATCH)
        const rows = settled(found)
        for (const row of rows) {
          cursor = row.id
          for (const follower of followers) follower.receive(row)
        }
        if (rows.length < BATCH) return
      }
    } catch (error) {
      logger.warn('new rows of the log cannot be read', { error: String(error) })
    } finally {
      looking = false
    }
  }

  /** Starts before the rows that may still be written. A follower gets rows after the last one. */
  async function begin(): Promise<void> {
    const newest = await logs.newestIds(BATCH)
    const young = clock.now() / 1000 - YOUNG_SECONDS
    const settledId = kind === 'sqlite' ? newest[0]?.id : newest.find(({ created_at }) => created_at < young)?.id
    cursor = settledId ?? (newest.at(-1)?.id ?? 1) - 1
    gap = undefined
    stop = clock.every(LOOK_MS[kind], () => void look())
  }

  function leave(follower: Follower): void {
    if (!followers.delete(follower) || followers.size > 0) return
    stop?.()
    stop = beginning = undefined
  }

  return {
    async follow({ user_id, filter, after, tail, shown }) {
      const own = [...followers].filter((each) => each.user_id === user_id)
      if (own.length >= MOST_STREAMS) fail('log.streams', { most: MOST_STREAMS })
      const follower = new Follower(user_id, createRowMatcher(filter), leave)
      followers.add(follower)
      try {
        await (beginning ??= begin())
        const last = (await logs.newestIds(1))[0]?.id ?? 0
        const requested = after === 0 ? last : Math.min(after, last)
        const from = Math.max(requested, last - MOST_MISSED)
        follower.begin(from, cursor)
        const written = after === 0 && tail > 0 ? await logs.newest(filter, tail) : []
        return {
          events: events(follower, { from, until: cursor, missed: from - requested, written }, filter, shown),
          end: () => follower.end(),
        }
      } catch (error) {
        follower.end()
        throw error
      }
    },
    close: () => followers.forEach((follower) => follower.end()),
  }

  async function* events(
    follower: Follower,
    { from, until, missed, written }: { from: number; until: number; missed: number; written: readonly LogEntry[] },
    filter: FeedSubscription['filter'],
    shown: FeedSubscription['shown'],
  ): AsyncGenerator<ServerSentEvent> {
    const toStreamEvent = (row: LogEntry): ServerSentEvent => ({ id: row.id, data: shown(row) })
    try {
      yield startEvent(from)
      // Without their ids: a follower who returns continues after the start, and not after one of these.
      for (const row of written.filter(({ id }) => id <= from).reverse()) yield { data: shown(row) }
      if (missed > 0) yield skipped(missed)
      for (let last = from; last < until && !follower.ended;) {
        const rows = await logs.after(last, BATCH, { filter, until })
        for (const row of rows) {
          if (follower.ended) return
          yield toStreamEvent(row)
        }
        last = rows.length < BATCH ? until : (rows.at(-1)?.id ?? until)
      }
      for (;;) {
        const next = await follower.next()
        if (next === undefined) return
        yield typeof next === 'number' ? skipped(next) : toStreamEvent(next)
      }
    } finally {
      follower.end()
    }
  }
}

/** Builds the event with the start position, so that a follower who disconnects before the first row can resume. */
const startEvent = (id: number): ServerSentEvent => ({ id, event: 'begun', data: {} })

/** Reports skipped rows of all users, if it is unknown which of them match the filter. */
const skipped = (rows: number): ServerSentEvent => ({ event: 'skipped', data: { rows } })

class Follower {
  readonly user_id: number
  ended = false
  private readonly matches: (row: LogEntry) => boolean
  private readonly leave: (follower: Follower) => void
  private waiting: LogEntry[] = []
  private skipped = 0
  private from = Infinity
  private wake: (() => void) | undefined

  constructor(user_id: number, matches: (row: LogEntry) => boolean, leave: (follower: Follower) => void) {
    this.user_id = user_id
    this.matches = matches
    this.leave = leave
  }

  /** Accepts rows after both ids. Rows between them are read from the database. */
  begin(from: number, cursor: number): void {
    this.from = Math.max(from, cursor)
  }

  receive(row: LogEntry): void {
    if (row.id <= this.from || !this.matches(row)) return
    // Skipped rows are reported in their place: after the waiting rows, before the next one.
    if (this.skipped > 0 || this.waiting.length >= MOST_WAITING) this.skipped += 1
    else this.waiting.push(row)
    this.wake?.()
  }

  /** Returns the next row, or the number of skipped ones; undefined at the end. */
  async next(): Promise<LogEntry | number | undefined> {
    while (!this.ended) {
      const row = this.waiting.shift()
      if (row) return row
      if (this.skipped > 0) {
        const rows = this.skipped
        this.skipped = 0
        return rows
      }
      await new Promise<void>((resolve) => (this.wake = resolve))
    }
    return undefined
  }

  end(): void {
    this.ended = true
    this.wake?.()
    this.leave(this)
  }
}
