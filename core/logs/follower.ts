// Moves rows of the log to a separate home, in the order of their ids, each exactly once even after a crash. The range
// in transfer is recorded before and after: if its end is unknown, the home is checked before the range is sent again.
import { fail, getThrownText } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { StoredLogRow } from '../calls/log-entry.ts'
import { REFUSAL_PERIOD_SECONDS, parseRefusal } from './refusal-rows.ts'
import type { LogHomeProgress, IdSpan, LogHome, LogHomeStates } from './home.ts'

/** Lease time in ms during which no other process moves rows; longer than one batch may take. */
const CLAIM_MS = 60_000
/** Pause after a failure, doubled each time up to the longest. */
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 60_000
/** Age at which a row of refused calls no longer changes: its minute, and as long again to be written. Unit: seconds. */
const REFUSAL_GROWTH = 2 * REFUSAL_PERIOD_SECONDS
/** More rows made at once would be noticed by calls. */
const READ_AT_ONCE = 1000

/** The source of the rows: the database, or the whole log. */
export interface LogSource {
  /** An id up to which no row is still to come. */
  settledId(): Promise<number>
  after(id: number, limit: number): Promise<StoredLogRow[]>
}

export interface LogFollower {
  /**
   * Moves the existing rows until it is aborted. Does nothing while another process moves rows, or soon after a
   * failure.
   */
  run(closing: AbortSignal): Promise<void>
  /** How far it is; `failure` while it does not get on. */
  state(): FollowerState
}

export interface FollowerState extends LogHomeProgress {
  /** The last known id up to which rows are settled. */
  settled: number
  /** In English; `translateStoredFailure` translates it. */
  failure: string
}

interface FollowerPorts {
  home: LogHome
  source: LogSource
  places: LogHomeStates
  clock: Clock
  logger: Logger
  /** Names this process. */
  owner: string
}

export function createLogMover({ home, source, places, clock, logger, owner }: FollowerPorts): LogFollower {
  let state: FollowerState = { place: 0, pending: 0, settled: 0, failure: '' }
  let ready = false
  /**
   * true if rows beyond the recorded place may exist at the home: the process has just started, or something failed.
   */
  let uncertain = true
  /** true if all rows at the home came from this process; rows up to `reach` exist already. */
  let isOurs = false
  let reach = 0
  let pause = FIRST_PAUSE_MS
  let resting = 0

  /** Returns the next rows and their end; null if the home would take none. */
  async function nextRows({ place, pending }: LogHomeProgress): Promise<{ rows: StoredLogRow[]; to: number } | null> {
    if (pending > place) return { rows: await readRows({ from: place, to: pending }), to: pending }
    const settled = await source.settledId()
    state.settled = settled
    if (settled <= place) return null
    const found = (await rowsBehind(place, home.batch)).filter(({ id }) => id <= settled)
    const young = found.findIndex((row) => (home.age > 0 && row.created_at >= youngest()) || isGrowing(row))
    const rows = young < 0 ? found : found.slice(0, young)
    const last = rows.at(-1)
    return last ? { rows, to: last.id } : null
  }

  async function rowsBehind(id: number, limit: number): Promise<StoredLogRow[]> {
    const rows: StoredLogRow[] = []
    for (let last = id; rows.length < limit;) {
      const missing = Math.min(READ_AT_ONCE, limit - rows.length)
      const found = await source.after(last, missing)
      rows.push(...found)
      if (found.length < missing) break
      last = found.at(-1)?.id ?? last
    }
    return rows
  }

  /** Returns true if refused calls may still be added to the row, in any process. */
  const isGrowing = (row: StoredLogRow): boolean =>
    row.created_at >= clock.now() / 1000 - REFUSAL_GROWTH && parseRefusal(row) !== undefined

  const youngest = () => {
    const at = clock.now() / 1000 - home.age
    return at - (at % DAY)
  }

  async function readRows({ from, to }: IdSpan): Promise<StoredLogRow[]> {
    const rows: StoredLogRow[] = []
    for (let last = from; ;) {
      const found = (await rowsBehind(last, home.batch)).filter(({ id }) => id <= to)
      rows.push(...found)
      if (found.length < home.batch) return rows
      last = found.at(-1)?.id ?? to
    }
  }

  /**
   * Moves one batch.
   * @returns the new place; null if another process has taken over, the home was replaced, or no row is left
   */
  async function step(was: LogHomeProgress): Promise<LogHomeProgress | null> {
    const next = await nextRows(was)
    if (!next) return null
    const { rows, to } = next
    const span = { from: was.place, to }
    const during = { place: was.place, pending: to }
    if (was.pending !== to && !(await places.move(home.name, owner, was, during))) return null
    const there = uncertain || span.from < reach ? await home.count(span) : 0
    if (there !== rows.length && there > 0) await home.remove(span)
    if (there !== rows.length) await home.append(rows, span)
    uncertain = false
    const done = { place: to, pending: to }
    return (await places.move(home.name, owner, during, done)) ? done : null
  }

  /**
   * Refuses to add rows among those of another Weir, or of the time before this database was restored. Rows beyond the
   * range in transfer are only accepted if they were once moved back from there. @throws GatewayError log.foreign_rows
   * @throws GatewayError log.foreign_rows
   */
  async function refuseForeign({ pending }: LogHomeProgress): Promise<void> {
    const [newest] = await home.upTo(Number.MAX_SAFE_INTEGER).newestIds(1)
    reach = newest?.id ?? 0
    if (!newest || newest.id <= pending) return
    const [own] = await source.after(newest.id - 1, 1)
    if (own?.id !== newest.id || own.created_at !== newest.created_at) fail('log.foreign_rows', { home: home.name })
  }

  /** Returns true if no row was added since the last run, so that neither a lease nor a write is needed. */
  async function isIdle(): Promise<boolean> {
    if (!isOurs || uncertain || state.pending > state.place) return false
    state.settled = await source.settledId()
    return state.settled <= state.place
  }

  async function bring(closing: AbortSignal): Promise<void> {
    if (!ready) await home.prepare()
    ready = true
    while (!closing.aborted && !(await isIdle())) {
      const claimed = await places.claim(home.name, owner, CLAIM_MS)
      if (!claimed) {
        // The progress of the other process is not known here.
        uncertain = true
        isOurs = false
        state = { ...state, ...(await places.of(home.name)) }
        return
      }
      // Somebody else has brought rows while nothing came here.
      if (claimed.place !== state.place || claimed.pending !== state.pending) {
        uncertain = true
        isOurs = false
      }
      state = { ...state, ...claimed }
      if (!isOurs) await refuseForeign(claimed)
      isOurs = true
      const done = await step(claimed)
      if (!done) return
      state = { ...state, ...done }
    }
  }

  return {
    state: () => state,
    async run(closing) {
      if (clock.now() < resting) return
      try {
        await bring(closing)
        if (state.failure !== '') logger.info('rows of the log move on again', { to: home.name, place: state.place })
        state.failure = ''
        pause = FIRST_PAUSE_MS
      } catch (error) {
        uncertain = true
        isOurs = false
        if (state.failure === '')
          logger.warn('rows of the log cannot be moved on', { to: home.name, error: String(error) })
        state.failure = getThrownText(error)
        resting = clock.now() + pause
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      }
    },
  }
}

const DAY = 86_400
