// Manages the database and the homes of log rows: rows are copied to the active home, then removed from the database,
// and are moved to another home, or back, on request.
import { fail, GatewayError, getThrownText } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ports } from '../ports/index.ts'
import { createLogMover, type LogFollower, type LogSource } from './follower.ts'
import type { DaySum, IdSpan, LogHome, LogHomeStates } from './home.ts'
import type { DatabaseLogRows } from './store.ts'

// Removes moved rows from the database after a delay, so that queries that started before still find them.

/** Longer than any question takes. */
const LINGER_MS = 60_000
const ROWS = 500
/** Between two batches others write. */
const MOVE_PAUSE_MS = 10

interface LogMovePorts {
  databaseLogs: Pick<DatabaseLogRows, 'removeUpTo'>
  logPlaces: Pick<LogHomeStates, 'reached'>
  clock: Clock
}

/** @returns the function that removes them, up to the place that every home had reached some time ago; called now and then */
export function createMovedRowCleaner({
  databaseLogs,
  logPlaces,
  clock,
}: LogMovePorts): (closing: AbortSignal) => Promise<void> {
  let seen: { place: number; at: number } | undefined
  return async (closing) => {
    const now = clock.now()
    if (seen && now - seen.at < LINGER_MS) return
    const removable = seen?.place ?? 0
    seen = { place: await logPlaces.reached(), at: now }
    while (!closing.aborted) {
      // A home that was added in the meantime may have fewer rows, and rows that are moving back must stay.
      const upTo = Math.min(removable, await logPlaces.reached())
      if (upTo === 0 || (await databaseLogs.removeUpTo(upTo, ROWS)) < ROWS) return
      await clock.sleep(MOVE_PAUSE_MS, closing).catch(() => undefined)
    }
  }
}

/** A move of all rows to another place; after its end, what it did. */
export interface MoveProgress {
  running: boolean
  /** Name of the destination; empty before the first move. */
  to: string
  /** Rows up to this id are there, out of those up to `target`. */
  place: number
  target: number
  /** Days of UTC that were compared at its end, in rows, quota and tokens, and the beginnings of those that differ. */
  days: number
  differing: number[]
  failure: string
}

export interface HomeState {
  /** Name of the home; empty if all rows are in the database. */
  home: string
  place: number
  settled: number
  failure: string
}

export interface LogHomeRegistry {
  state(): HomeState
  progress(): MoveProgress
  /** Starts a move in the background. @throws GatewayError log.moving, log.no_home, log.same_home, or an error of opening it */
  move(to: string): Promise<void>
  /** Moves the existing rows; for a job. */
  follow(): Promise<void>
  /** Removes moved rows from the database; for a job. */
  tidy(): Promise<void>
  close(): Promise<void>
}

export const DATABASE_HOME = 'database'

const NO_MOVE: MoveProgress = { running: false, to: '', place: 0, target: 0, days: 0, differing: [], failure: '' }
/** Time in ms between two checks of a move that waits. */
const PAUSE_MS = 500
/** Time in ms between two checks of a home that only takes whole days. */
const DAYS_PAUSE_MS = 600_000
const ROWS_BACK = 1000

export function createLogHomes({
  storage,
  clock,
  logger,
  random,
}: Pick<Ports, 'storage' | 'clock' | 'logger' | 'random'>): LogHomeRegistry {
  const { databaseLogs, logPlaces, logHome, openLogHome } = storage
  const owner = random.text(16)
  const closing = new AbortController()
  const inDatabase: LogSource = databaseLogs
  /** All rows, wherever they are. */
  const anywhere: LogSource = { settledId: databaseLogs.settledId, after: storage.logs.after }
  const createHomeFollower = (home: LogHome, source: LogSource): LogFollower =>
    createLogMover({ home, source, places: logPlaces, clock, logger, owner })

  const own = logHome && createHomeFollower(logHome, inDatabase)
  /** The home that rows were moved to. It also receives new rows until Weir starts with it. */
  let other: { home: LogHome; follower: LogFollower } | undefined
  const removeMovedOn = createMovedRowCleaner({ ...storage, clock })
  let progress: MoveProgress = NO_MOVE
  let lastMove: Promise<unknown> = Promise.resolve()
  let following: Promise<unknown> = Promise.resolve()
  let due = 0

  async function bring(): Promise<void> {
    if (clock.now() >= due) {
      due = clock.now() + (logHome && logHome.age > 0 ? DAYS_PAUSE_MS : 0)
      await own?.run(closing.signal)
    }
    if (!progress.running) await other?.follower.run(closing.signal)
  }

  /** Returns the sums per day up to an id, over the active home and the newer rows of the database. */
  async function daysUpTo(id: number): Promise<DaySum[]> {
    const place = logHome ? Math.min((await logPlaces.of(logHome.name)).place, id) : 0
    const there = logHome && place > 0 ? await logHome.upTo(place).days() : []
    return together([...there, ...(await databaseLogs.days({ from: place, to: id }))])
  }

  async function compare(ownProgress: MoveProgress, there: () => Promise<DaySum[]>): Promise<void> {
    const [expected, found] = [await daysUpTo(ownProgress.target), await there()]
    ownProgress.days = expected.length
    ownProgress.differing = differing(expected, found)
  }

  async function moveTo(home: LogHome, ownProgress: MoveProgress): Promise<void> {
    const follower = createHomeFollower(home, anywhere)
    other = { home, follower }
    while (!closing.signal.aborted && ownProgress.place < ownProgress.target) {
      await follower.run(closing.signal)
      ownProgress.place = Math.min(follower.state().place, ownProgress.target)
      ownProgress.failure = follower.state().failure
      if (ownProgress.place < ownProgress.target) await clock.sleep(PAUSE_MS, closing.signal).catch(() => undefined)
    }
    if (closing.signal.aborted) return
    await compare(ownProgress, () => home.upTo(ownProgress.target).days())
    if (ownProgress.differing.length === 0) await logPlaces.isWhole(home.name)
  }

  async function moveBack(home: LogHome, ownProgress: MoveProgress): Promise<void> {
    await logPlaces.comeBack(home.name)
    // A removal from the database that is in progress now has finished after this pause.
    await clock.sleep(PAUSE_MS, closing.signal).catch(() => undefined)
    const { place } = await logPlaces.of(home.name)
    const there = home.upTo(place)
    ownProgress.target = place
    for (let last = 0; !closing.signal.aborted; last = ownProgress.place) {
      const rows = await there.after(last, ROWS_BACK)
      if (rows.length > 0) await databaseLogs.restore(rows)
      ownProgress.place = rows.at(-1)?.id ?? place
      if (rows.length < ROWS_BACK) break
    }
    if (closing.signal.aborted) return
    const span: IdSpan = { from: 0, to: place }
    const [expected, found] = [await there.days(), await databaseLogs.days(span)]
    ownProgress.place = place
    ownProgress.days = expected.length
    ownProgress.differing = differing(expected, found)
    if (ownProgress.differing.length === 0) await logPlaces.leave(home.name)
  }

  async function run(ownProgress: MoveProgress, work: () => Promise<void>): Promise<void> {
    try {
      await work()
      if (ownProgress.differing.length > 0)
        logger.error('moved rows of the log differ', { to: ownProgress.to, days: ownProgress.differing })
    } catch (error) {
      ownProgress.failure = getThrownText(error)
      logger.error('rows of the log could not be moved', { to: ownProgress.to, error: String(error) })
    } finally {
      ownProgress.running = false
    }
  }

  async function opened(address: string): Promise<LogHome> {
    try {
      return await (openLogHome ?? fail('log.home'))(address)
    } catch (cause) {
      throw cause instanceof GatewayError ? cause : new GatewayError('log.home', {}, { cause })
    }
  }

  return {
    state() {
      const { place = 0, settled = 0, failure = '' } = own?.state() ?? {}
      return { home: logHome?.name ?? '', place, settled, failure }
    },
    progress: () => ({ ...progress }),
    async move(to) {
      if (progress.running) fail('log.moving')
      if (to === DATABASE_HOME) {
        const home = logHome ?? fail('log.no_home')
        const ownProgress: MoveProgress = { ...NO_MOVE, running: true, to, differing: [] }
        progress = ownProgress
        lastMove = run(ownProgress, () => moveBack(home, ownProgress))
        return
      }
      const home = await opened(to)
      if (home.name === logHome?.name) {
        await home.close()
        fail('log.same_home')
      }
      if (progress.running) fail('log.moving')
      await other?.home.close()
      const ownProgress: MoveProgress = { ...NO_MOVE, running: true, to: home.name, differing: [] }
      progress = ownProgress
      ownProgress.target = (await storage.logs.newestIds(1))[0]?.id ?? 0
      lastMove = run(ownProgress, () => moveTo(home, ownProgress))
    },
    async follow() {
      following = bring()
      await following
    },
    tidy: () => (logHome ? removeMovedOn(closing.signal) : Promise.resolve()),
    async close() {
      closing.abort()
      // Nothing is taken away under a batch.
      await Promise.allSettled([lastMove, following])
      await other?.home.close()
      await logHome?.close()
    },
  }
}

/** Days of two places as one list. */
function together(days: readonly DaySum[]): DaySum[] {
  const sums = new Map<number, DaySum>()
  for (const each of days) {
    const known = sums.get(each.day)
    if (known)
      sums.set(each.day, {
        day: each.day,
        rows: known.rows + each.rows,
        quota: known.quota + each.quota,
        tokens: known.tokens + each.tokens,
      })
    else sums.set(each.day, each)
  }
  return [...sums.values()].sort((a, b) => a.day - b.day)
}

/** Starts of days that differ. */
function differing(expected: readonly DaySum[], found: readonly DaySum[]): number[] {
  const known = new Map(found.map((each) => [each.day, each]))
  const days = new Set([...expected, ...found].map(({ day }) => day))
  const expectedByDay = new Map(expected.map((each) => [each.day, each]))
  return [...days]
    .filter((day) => {
      const [a, b] = [expectedByDay.get(day), known.get(day)]
      return a?.rows !== b?.rows || a?.quota !== b?.quota || a?.tokens !== b?.tokens
    })
    .sort((a, b) => a - b)
}
