// The log of PostgreSQL by month: divided while it is used, dropped month by month.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStorage } from '../../core/adapters/knex/index.ts'
import { createCleanUp } from '../../core/logs/clean-up.ts'
import { getCompleteRetentionStart, LOG_ROW_KINDS } from '../../core/logs/log.ts'
import type { MonthlyLogTables } from '../../core/logs/store.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { createFakeClock, type FakeClock } from '../support/clock.ts'
import { ports, silent } from '../support/databases.ts'
import { dropDatabase, migratedDatabase, query } from '../support/postgres.ts'
import { newLog } from './samples.ts'

const at = (text: string) => Date.parse(text) / 1000
const DAY = 86_400

let database: string
let storage: Storage
let months: MonthlyLogTables
let clock: FakeClock
const opened: Storage[] = []

async function open(): Promise<Storage> {
  const another = await openStorage({ ...ports(), database, clock })
  opened.push(another)
  return another
}

beforeEach(async () => {
  database = await migratedDatabase()
  clock = createFakeClock(at('2026-03-10') * 1000)
  storage = await open()
  months = storage.databaseLogs.months!
})
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
  await dropDatabase(database)
})

const goTo = (day: string) => clock.advance(at(day) * 1000 - clock.now())

const parts = async () =>
  (
    await query<{ name: string; bound: string }>(
      database,
      `select relname as name, pg_get_expr(relpartbound, oid) as bound from pg_class where relispartition and relkind = 'r'
       order by relname`,
    )
  ).map(({ name }) => name)
const tableOf = async (content: string) =>
  (
    await query<{ name: string }>(database, 'select tableoid::regclass::text as name from logs where content = $1', [
      content,
    ])
  )[0]?.name
const fill = (count: number, created_at: number) =>
  storage.logs.insert(
    Array.from({ length: count }, (_, n) => newLog({ content: `row ${n}`, created_at: created_at - n, quota: n })),
  )

it('makes a new log by month, with the months to come', async () => {
  expect(await months.state()).toEqual({ months: 0, divided: 0 })
  await months.keep()
  expect(await months.state()).toEqual({ months: 5, divided: 100 })
  expect(await parts()).toEqual(['logs_2026_03', 'logs_2026_04', 'logs_2026_05', 'logs_before', 'logs_others'])
  const rows = {
    now: '2026-03-10',
    turn: '2026-04-01',
    last: '2026-03-31T23:59:59Z',
    old: '2020-01-01',
    far: '2031-01-01',
  }
  await storage.logs.insert(Object.entries(rows).map(([content, day]) => newLog({ content, created_at: at(day) })))
  const found = await Promise.all(Object.keys(rows).map(tableOf))
  expect(found).toEqual(['logs_2026_03', 'logs_2026_04', 'logs_2026_03', 'logs_before', 'logs_others'])
  expect((await storage.logs.newest({}, 10)).map(({ content }) => content)).toEqual([
    'far',
    'turn',
    'last',
    'now',
    'old',
  ])
  await months.keep()
  expect(await parts()).toHaveLength(5)
  goTo('2026-07-02')
  await months.keep()
  expect((await parts()).slice(0, 7)).toEqual(
    ['03', '04', '05', '06', '07', '08', '09'].map((month) => `logs_2026_${month}`),
  )
})

it('divides a log that has rows while it is written, and loses and changes none', async () => {
  await fill(3000, at('2026-03-09'))
  const asked = async () => ({
    ids: await storage.logs.newestIds(10_000),
    sums: await storage.logs.statistics({}, at('2026-03-10')),
    page: await storage.logs.list({ start_timestamp: at('2026-03-08') }, { offset: 20, limit: 20 }),
    days: await storage.databaseLogs.days({ from: 0, to: Number.MAX_SAFE_INTEGER }),
  })
  const before = await asked()
  let written = 0
  let over = false
  const writing = (async () => {
    for (; !over; written++)
      await storage.logs.insert([newLog({ content: `during ${written}`, created_at: at('2026-03-10') })])
  })()
  await months.keep()
  over = true
  await writing
  expect(written).toBeGreaterThan(0)
  expect((await storage.logs.newest({ start_timestamp: at('2026-03-10') }, 10_000)).length).toBe(written)
  await query(database, `delete from logs where content like 'during %'`)
  expect(await asked()).toEqual(before)
  // Two weeks before a month ends its rows may still come to the table of before.
  expect(await parts()).toEqual(['logs_2026_04', 'logs_2026_05', 'logs_before', 'logs_others'])
  await storage.logs.insert([newLog({ content: 'later', created_at: at('2026-04-02') })])
  expect(await tableOf('later')).toBe('logs_2026_04')
  const [newest] = await storage.logs.newestIds(1)
  expect(newest?.id).toBeGreaterThan(3000 + written)
  const indexes = await query<{ table: string; columns: string }>(
    database,
    `select tablename as "table", regexp_replace(indexdef, '^.* using ', '', 'i') as columns from pg_indexes where tablename like 'logs%'`,
  )
  const of = (table: string) =>
    indexes
      .filter((each) => each.table === table)
      .map(({ columns }) => columns)
      .sort()
  expect(of('logs')).toHaveLength(5)
  for (const part of await parts()) expect(of(part)).toEqual(of('logs'))
})

it.each([
  [
    'before its end was looked at',
    [`alter table logs add constraint logs_before_end check (created_at < 99) not valid`],
  ],
  ['while its key was made', [`create unique index logs_before_key on logs (id, created_at)`]],
  ['between the two', [`alter table logs add constraint logs_before_end check (created_at < ${at('2026-09-01')})`]],
])('goes on where it was ended %s', async (_, done) => {
  await fill(50, at('2026-03-09'))
  for (const text of done) await query(database, text)
  await months.keep()
  expect(await parts()).toContain('logs_before')
  expect(await storage.logs.newestIds(100)).toHaveLength(50)
  await storage.logs.insert([newLog({ created_at: at('2026-12-01') })])
  expect(await query(database, `select 1 from pg_constraint where conname = 'logs_before_end'`)).toEqual([])
})

it('leaves a log whole that has rows of a far future, says so, and goes on taking rows', async () => {
  await fill(3, at('2027-01-01'))
  await expect(months.keep()).rejects.toThrow(/far future, up to 2027-01-01/)
  await storage.logs.insert([newLog({ created_at: at('2027-02-01') })])
  expect(await storage.logs.newestIds(100)).toHaveLength(4)
})

it('leaves no bound behind where it cannot be divided, and is divided once it can', async () => {
  await fill(20, at('2026-03-09'))
  await query(database, 'create table logs_others (id int)')
  await expect(months.keep()).rejects.toMatchObject({ detail: expect.stringContaining('logs_others') })
  expect(await query(database, `select 1 from pg_constraint where conname = 'logs_before_end'`)).toEqual([])
  await query(database, 'drop table logs_others')
  await months.keep()
  expect(await parts()).toContain('logs_before')
  expect(await storage.logs.newestIds(100)).toHaveLength(20)
})

it('is divided by one of several processes, once', async () => {
  await fill(500, at('2026-03-09'))
  const others = await Promise.all([open(), open()])
  await Promise.all([storage, ...others].map(({ databaseLogs }) => databaseLogs.months!.keep()))
  expect((await parts()).filter((name) => name === 'logs_before')).toHaveLength(1)
  expect(await storage.logs.newestIds(1000)).toHaveLength(500)
})

describe('months that are over', () => {
  beforeEach(async () => {
    await months.keep()
    goTo('2026-08-10')
    await months.keep()
    for (const month of ['03', '04', '05', '06', '07', '08']) await fill(40, at(`2026-${month}-05`))
  })

  it('are dropped whole, and the rest of a month row by row', async () => {
    const cleanUp = createCleanUp({
      storage,
      clock: { ...clock, now: () => clock.now(), sleep: async () => undefined },
      logger: silent,
    })
    const before = at('2026-06-05') - 10
    expect(await cleanUp.start([{ before }])).toBe(3 * 40 + 29)
    expect(cleanUp.progress()).toMatchObject({ removed: 149, total: 149 })
    expect((await parts()).find((name) => name.startsWith('logs_2026'))).toBe('logs_2026_06')
    expect(await storage.logs.oldest()).toBe(before)
    expect(await storage.logs.newestIds(1000)).toHaveLength(91)
    // Rows of a month that has no table any more still find a place.
    await fill(1, at('2026-04-01'))
    expect(await storage.logs.newestIds(1000)).toHaveLength(92)
  })

  it('stay where rows of some kind in them are kept', async () => {
    const kept = (before: number, events: number) => [
      { before, types: LOG_ROW_KINDS.calls },
      { before, types: LOG_ROW_KINDS.errors },
      { before: events, types: LOG_ROW_KINDS.events },
    ]
    const [june, may] = [at('2026-06-01'), at('2026-05-01')]
    expect(getCompleteRetentionStart(kept(june, may))).toBe(may)
    expect(getCompleteRetentionStart(kept(june, may).slice(0, 2))).toBe(0)
    expect(getCompleteRetentionStart([{ before: june, user_id: 3 }])).toBe(0)
    expect(getCompleteRetentionStart([{ before: june }])).toBe(june)
    expect(await months.drop(0)).toBe(0)
    expect(await months.drop(may + DAY)).toBe(80)
    expect((await parts())[0]).toBe('logs_2026_05')
  })

  it('wait for whoever reads them, and nobody waits for long meanwhile', async () => {
    const letGo = await holdReading()
    let dropped = false
    const dropping = months.drop(at('2026-04-01')).then(() => (dropped = true))
    let longest = 0
    for (const until = Date.now() + 1500; Date.now() < until; await sleep(20)) {
      const began = Date.now()
      await storage.logs.insert([newLog({ created_at: at('2026-08-09') })])
      longest = Math.max(longest, Date.now() - began)
    }
    expect(dropped).toBe(false)
    expect(longest).toBeLessThan(10_000)
    await letGo()
    await dropping
    expect((await parts())[0]).toBe('logs_2026_04')
  })
})

/** Reads the log in a transaction that stays open; gives what ends it. */
async function holdReading(): Promise<() => Promise<void>> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query('begin; select count(*) from logs')
  return async () => {
    await client.query('commit')
    await client.end()
  }
}
