// Old rows of the log go: by the setting, in small batches; receipts, entries and sums of usage stay.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LOG_ROW_TYPE } from '../../../core/calls/log-entry.ts'
import { createCleanUp } from '../../../core/logs/clean-up.ts'
import { getRetentionStart, LOG_KIND_NAMES, LOG_ROW_KINDS, listExpiredRows } from '../../../core/logs/log.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { createFakeClock } from '../../support/clock.ts'
import { silent } from '../../support/databases.ts'
import { newLog } from '../../storage/samples.ts'
import { openMemoryGateway } from '../gateway.ts'

const DAY = 86_400
const MINUTE_MS = 60_000

const days = fc.constantFrom(0, 1, 10, 30)
const kindDays = fc.constantFrom(-1, 0, 1, 10, 30)
/** Nobody pauses. */
const awake = { ...createFakeClock(), sleep: async () => undefined }

it('by the setting, every ten minutes, and not in the moment in which a command opens Weir', async () => {
  const weir = await openMemoryGateway()
  const { storage, clock, client } = weir
  const now = Math.floor(clock.now() / 1000)
  const rows = (days: number, count: number) =>
    Array.from({ length: count }, () => newLog({ created_at: now - days * DAY, username: `${days}` }))
  await storage.logs.insert([...rows(100, 300), ...rows(91, 1), ...rows(89, 1), ...rows(0, 1)])
  const left = async () => (await storage.logs.newest({}, 1000)).map(({ username }) => username)
  clock.advance(11 * MINUTE_MS)
  expect(await left()).toHaveLength(303)
  await client.settings.update({ key: 'LogRetentionDays', value: '90' })
  await expect
    .poll(async () => {
      clock.advance(5 * MINUTE_MS)
      return left()
    })
    .toEqual(['0', '89'])
  expect(await client.logs.cleanUpProgress({ target_timestamp: now })).toMatchObject({ running: false, older: 1 })
  await weir.close()
})

it('each kind of row by its own setting, and says before what will go', async () => {
  const weir = await openMemoryGateway()
  const { storage, clock, client } = weir
  const now = Math.floor(clock.now() / 1000)
  await fc.assert(
    fc.asyncProperty(
      fc.record({ all: days, errors: kindDays, events: kindDays }),
      fc.array(
        fc.record({ type: fc.constantFrom(...Object.values(LOG_ROW_TYPE)), age: fc.integer({ min: 1, max: 40 }) }),
        {
          maxLength: 30,
        },
      ),
      async ({ all, errors, events }, rows) => {
        await storage.logs.deleteOutdated({ before: now + DAY }, 10_000)
        await storage.logs.insert(rows.map(({ type, age }) => newLog({ type, created_at: now - age * DAY + 60 })))
        const settings = { LogRetentionDays: all, 'log.error_days': errors, 'log.event_days': events }
        const kept = getRetentionStart({ ...weir.settings(), ...settings }, now)
        const goes = ({ type, age }: (typeof rows)[number]) => {
          const kind = LOG_KIND_NAMES.find((name) => (LOG_ROW_KINDS[name] as readonly number[]).includes(type))!
          const said = { calls: all, errors: errors || all, events: events || all }[kind]
          return said > 0 && age > said
        }
        const outdated = listExpiredRows(kept)
        const before = await Promise.all(outdated.map((some) => storage.logs.extent(some)))
        const removed =
          outdated.length > 0 ? await createCleanUp({ storage, clock: awake, logger: silent }).start(outdated) : 0
        expect(removed).toBe(rows.filter(goes).length)
        expect(before.reduce((sum, extent) => sum + extent.rows, 0)).toBe(removed)
        const left = (await storage.logs.newest({}, 1000)).map(({ type, created_at }) => `${type} ${created_at}`)
        const expected = rows.filter((row) => !goes(row)).map(({ type, age }) => `${type} ${now - age * DAY + 60}`)
        expect(left.sort()).toEqual(expected.sort())
      },
    ),
    { numRuns: 40 },
  )
  await storage.logs.deleteOutdated({ before: now + DAY }, 10_000)
  await storage.logs.insert([
    ...[100, 50].map((age) => newLog({ type: LOG_ROW_TYPE.error, created_at: now - age * DAY })),
    ...[100, 50].map((age) => newLog({ type: LOG_ROW_TYPE.topup, created_at: now - age * DAY })),
    newLog({ type: LOG_ROW_TYPE.consumption, created_at: now - 50 * DAY }),
  ])
  await client.settings.update({ key: 'LogRetentionDays', value: '90' })
  await client.settings.update({ key: 'log.error_days', value: '7' })
  await client.settings.update({ key: 'log.event_days', value: '-1' })
  expect((await client.logs.cleanUpProgress({ by_settings: 'true' })).kinds).toEqual([
    { kind: 'calls', before: now - 90 * DAY, rows: 0, oldest: 0, newest: 0 },
    { kind: 'errors', before: now - 7 * DAY, rows: 2, oldest: now - 100 * DAY, newest: now - 50 * DAY },
    { kind: 'events', before: 0, rows: 0, oldest: 0, newest: 0 },
  ])
  expect(
    (await client.logs.cleanUpProgress({ target_timestamp: now - 60 * DAY })).kinds.map(({ rows }) => rows),
  ).toEqual([0, 1, 1])
  const errors = async () => (await storage.logs.newest({ type: LOG_ROW_TYPE.error }, 100)).length
  const gone = (minutes = 10) =>
    expect
      .poll(async () => {
        clock.advance(minutes * MINUTE_MS)
        return errors()
      })
      .toBe(0)
  await gone()
  // What is outdated only later is not passed over.
  const at = Math.floor(clock.now() / 1000) - 7 * DAY + 3 * 3600
  await storage.logs.insert([newLog({ type: LOG_ROW_TYPE.error, created_at: at })])
  clock.advance(20 * MINUTE_MS)
  expect(await errors()).toBe(1)
  await gone()
  // What an import brings is of long ago.
  await storage.logs.insert([newLog({ type: LOG_ROW_TYPE.error, created_at: now - 90 * DAY })])
  await gone(60)
  expect(await storage.logs.newest({ type: LOG_ROW_TYPE.topup }, 100)).toHaveLength(2)
  await weir.close()
})

it('knows the kind of every type of row', () => {
  expect(Object.values(LOG_ROW_KINDS).flat().sort()).toEqual(Object.values(LOG_ROW_TYPE).sort())
})

it('waits as long as a batch took, makes the next one smaller, and ends when Weir does', async () => {
  const clock = createFakeClock()
  const asked: number[] = []
  const pauses: number[] = []
  const slow = {
    extent: async () => ({ rows: 10_000, oldest: 0, newest: 0 }),
    async deleteOutdated(_: unknown, limit: number) {
      asked.push(limit)
      // As much as 0.1 ms a row.
      clock.advance(limit / 10)
      return limit
    },
  }
  const resting = {
    ...clock,
    sleep: async (ms: number) => {
      pauses.push(ms)
      if (pauses.length === 6) void cleanUp.close()
    },
  }
  const cleanUp = createCleanUp({
    storage: { logs: slow, databaseLogs: {} } as unknown as Storage,
    clock: resting,
    logger: silent,
  })
  const removed = await cleanUp.start([{ before: 1 }])
  expect(asked).toEqual([100, 200, 400, 200, 400, 200, 400])
  expect(pauses).toEqual([10, 20, 40, 20, 40, 20])
  expect(removed).toBe(1900)
  expect(cleanUp.progress()).toMatchObject({ running: false, removed: 1900, total: 10_000 })
})
