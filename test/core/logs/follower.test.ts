// Rows move on once each, whatever fails and whoever dies in between.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLogMover } from '../../../core/logs/follower.ts'
import type { StoredLogRow } from '../../../core/calls/log-entry.ts'
import type { LogHomeProgress, LogHomeQueries, IdSpan, LogHome, LogHomeStates } from '../../../core/logs/home.ts'
import { createFakeClock, type FakeClock } from '../../support/clock.ts'
import { silent } from '../../support/databases.ts'
import { newLog } from '../../storage/samples.ts'

const row = (id: number, created_at = id): StoredLogRow => ({ ...newLog({ created_at }), id })
const going = new AbortController().signal
const LONGEST_PAUSE_MS = 60_000

/** What happens to a request: it fails before it was done, or after. */
type Fault = 'before' | 'after' | undefined

function createWorld(rows: readonly StoredLogRow[]) {
  const clock = createFakeClock()
  const there: StoredLogRow[] = []
  let place: LogHomeProgress = { place: 0, pending: 0 }
  let claim = { owner: '', expires: 0 }
  let claims = 0
  let faults: Fault[] = []
  const faulty = async <T>(work: () => T): Promise<T> => {
    const fault = faults.shift()
    if (fault === 'before') throw new Error('not done')
    const done = work()
    if (fault === 'after') throw new Error('done, and not answered')
    return done
  }
  const within = ({ from, to }: IdSpan) => there.filter(({ id }) => id > from && id <= to)
  const home = (age = 0): LogHome => ({
    ...{ name: 'memory:', age, batch: 3 },
    prepare: () => faulty(() => undefined),
    append: (some) => faulty(() => void there.push(...some)),
    count: (span) => faulty(() => within(span).length),
    remove: (span) =>
      faulty(() => {
        for (const gone of within(span)) there.splice(there.indexOf(gone), 1)
      }),
    upTo: () => ({
      ...({} as LogHomeQueries),
      newestIds: () => faulty(() => there.toSorted((a, b) => b.id - a.id).slice(0, 1)),
    }),
    deleteOutdated: () => expect.fail('nobody cleans up'),
    close: () => Promise.resolve(),
  })
  const places: LogHomeStates = {
    ...({} as LogHomeStates),
    of: () => Promise.resolve(place),
    claim: (_home, owner, ms) =>
      faulty(() => {
        claims += 1
        if (claim.owner !== owner && claim.expires > clock.now()) return null
        claim = { owner, expires: clock.now() + ms }
        return place
      }),
    move: (_home, owner, was, now) =>
      faulty(() => {
        if (claim.owner !== owner || was.place !== place.place || was.pending !== place.pending) return false
        place = now
        return true
      }),
  }
  const source = {
    settledId: () => faulty(() => rows.at(-1)?.id ?? 0),
    after: (id: number, limit: number) => faulty(() => rows.filter((each) => each.id > id).slice(0, limit)),
  }
  return {
    clock,
    there,
    claims: () => claims,
    fail: (coming: Fault[]) => (faults = coming),
    process: (owner: string, age?: number) =>
      createLogMover({ home: home(age), source, places, clock, logger: silent, owner }),
  }
}

const pass = async (clock: FakeClock, ms: number) => clock.advance(ms)

describe('rows of the log', () => {
  it('move on once each and in order, whatever fails and whoever dies', async () => {
    const fault = fc.constantFrom<Fault>('before', 'after', undefined, undefined, undefined, undefined)
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 25 })
    const lives = fc.array(fc.array(fault, { maxLength: 12 }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(ids, lives, async (some, deaths) => {
        const rows = some.sort((a, b) => a - b).map((id) => row(id))
        const { clock, there, process, fail } = createWorld(rows)
        for (const [life, coming] of deaths.entries()) {
          fail([...coming])
          const follower = process(`process ${life}`)
          for (let time = 0; time < 3; time += 1) {
            await follower.run(going)
            await pass(clock, LONGEST_PAUSE_MS)
          }
        }
        fail([])
        await pass(clock, LONGEST_PAUSE_MS)
        const last = process('the last one')
        await last.run(going)
        expect(last.state()).toMatchObject({ place: rows.at(-1)?.id, pending: rows.at(-1)?.id, failure: '' })
        expect(there.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
      }),
      { numRuns: 300 },
    )
  })

  it('wait while refused calls may still be added to one', async () => {
    const now = createFakeClock().now() / 1000
    const refused = { reason: 'model.missing', calls: 1, joined: 0, request_ids: ['id'] }
    const growing = { ...row(2, now), type: 5, other: JSON.stringify({ refused }) }
    const { clock, there, process } = createWorld([row(1, now), growing, row(3, now)])
    const mover = process('a process')
    await mover.run(going)
    expect(there.map(({ id }) => id)).toEqual([1])
    await pass(clock, 121_000)
    await mover.run(going)
    expect(there.map(({ id }) => id)).toEqual([1, 2, 3])
  })

  it('move on once each where processes take turns, rows come meanwhile and requests fail', async () => {
    const fault = fc.constantFrom<Fault>('before', 'after', undefined, undefined, undefined, undefined)
    const turns = fc.array(
      fc.record({
        who: fc.nat({ max: 2 }),
        came: fc.nat({ max: 5 }),
        faults: fc.array(fault, { maxLength: 12 }),
        waits_ms: fc.constantFrom(0, 1000, LONGEST_PAUSE_MS + 1),
      }),
      { maxLength: 20 },
    )
    await fc.assert(
      fc.asyncProperty(turns, async (some) => {
        const rows: StoredLogRow[] = []
        const { clock, there, process, fail } = createWorld(rows)
        const processes = ['a', 'b', 'c'].map((owner) => process(owner))
        for (const { who, came, faults, waits_ms } of some) {
          for (let more = 0; more < came; more += 1) rows.push(row(rows.length + 1))
          fail([...faults])
          await processes[who]?.run(going)
          await pass(clock, waits_ms)
        }
        fail([])
        for (let time = 0; time < 2; time += 1) {
          await pass(clock, LONGEST_PAUSE_MS + 1)
          for (const one of processes) await one.run(going)
        }
        expect(there.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
      }),
      { numRuns: 300 },
    )
  })

  it('are claimed while there are some, and looked at again where another left off meanwhile', async () => {
    const rows = [row(1)]
    const { clock, there, claims, fail, process } = createWorld(rows)
    const [one, other] = [process('one'), process('other')]
    for (let time = 0; time < 5; time += 1) await one.run(going)
    expect(claims()).toBe(1)
    rows.push(row(2), row(3))
    await pass(clock, LONGEST_PAUSE_MS + 1)
    // It has taken them there, and dies before it could say so.
    fail([...Array<Fault>(7), 'after'])
    await other.run(going)
    expect(there).toHaveLength(3)
    await pass(clock, LONGEST_PAUSE_MS + 1)
    await one.run(going)
    expect(one.state()).toMatchObject({ place: 3, pending: 3, failure: '' })
    expect(there.map(({ id }) => id)).toEqual([1, 2, 3])
  })

  it('are brought by one process at a time', async () => {
    const { clock, there, process } = createWorld([row(1), row(2)])
    const [one, other] = [process('one'), process('other')]
    await one.run(going)
    await other.run(going)
    expect([there.length, other.state().place]).toEqual([2, 2])
    await pass(clock, 2 * LONGEST_PAUSE_MS)
    await other.run(going)
    expect(there.length).toBe(2)
  })

  it('are put among nobody else’s: those of another Weir, or of a time that was taken back', async () => {
    const rows = [1, 2, 3, 4, 5].map((id) => row(id))
    const { there, process } = createWorld(rows)
    // Another row of that number, and one that this database never had.
    for (const foreign of [row(4, 400), row(9)]) {
      there.splice(0, there.length, row(1), row(2), foreign)
      const follower = process('one')
      await follower.run(going)
      expect(follower.state().failure).toContain('another Weir')
      expect(there.map(({ id }) => id)).toEqual([1, 2, foreign.id])
    }
    // What came back from there once is ours, and is there once.
    there.splice(0, there.length, ...rows.slice(0, 4))
    const follower = process('one')
    await follower.run(going)
    expect(follower.state().failure).toBe('')
    expect(there.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
  })

  it('rest longer after each failure, and say what failed until it is over', async () => {
    const { clock, there, process, fail } = createWorld([row(1)])
    const follower = process('one')
    fail(['before'])
    await follower.run(going)
    expect(follower.state().failure).toContain('not done')
    await follower.run(going)
    expect(there).toEqual([])
    await pass(clock, 1000)
    await follower.run(going)
    expect([there.length, follower.state().failure]).toEqual([1, ''])
  })

  it('stay where they are until they are as old as the home takes them, whole days at once', async () => {
    const DAY = 86_400
    const today = Math.floor(createFakeClock().now() / 1000)
    const midnight = today - (today % DAY)
    const { clock, there, process } = createWorld([
      row(1, midnight - DAY - 5),
      row(2, midnight - 5),
      row(3, midnight + 5),
      row(4, midnight - 2 * DAY),
    ])
    const follower = process('one', DAY)
    await follower.run(going)
    expect(there.map(({ id }) => id)).toEqual([1])
    await pass(clock, DAY * 1000)
    await follower.run(going)
    expect(there.map(({ id }) => id)).toEqual([1, 2])
    // An old row behind a young one waits for it: rows move on in the order of their ids.
    await pass(clock, DAY * 1000)
    await follower.run(going)
    expect(there.map(({ id }) => id)).toEqual([1, 2, 3, 4])
  })
})
