// A database server that replaces another and lacks its last changes: detected, reported, and nothing is charged.
import type { Knex } from 'knex'
import { expect, test, vi } from 'vitest'
import { connectPostgres } from '../../core/adapters/knex/connection/connection.ts'
import { withLongTimeouts } from '../../core/adapters/knex/connection/database.ts'
import { openStorage } from '../../core/adapters/knex/index.ts'
import { costs, openWorld } from '../core/quota/world.ts'
import { ports, silent } from '../support/databases.ts'
import { freshDatabase, query } from '../support/postgres.ts'

const SECONDS = { timeout: 20_000, interval: 50 }

test('a database without the last charge is not used until it has it again', { timeout: 60_000 }, async () => {
  const database = await freshDatabase()
  const said: string[] = []
  const say = (message: string) => void said.push(message)
  const logger = { ...ports().logger, error: say, info: say }
  const world = await openWorld(({ clock }) => openStorage({ database, ...ports(), clock, logger }))
  const { ledger, byUser, clock } = world
  await ledger.settle(await ledger.hold(byUser, 100), costs(40))
  const everybodyGoes = () =>
    query(
      database,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )

  await query(database, `create table later as select * from ledger_entries where kind = 'charge'`)
  await query(database, `delete from ledger_entries where kind = 'charge'`)
  await everybodyGoes()
  await vi.waitFor(async () => {
    clock.advance(2_000)
    await expect(ledger.hold(byUser, 1)).rejects.toMatchObject({ code: 'storage.away' })
    expect(said).toContainEqual(expect.stringContaining('older than what was charged'))
  }, SECONDS)
  // What only asks is told the same, not that something is wrong with Weir.
  await expect(world.storage.users.find(1)).rejects.toMatchObject({ code: 'storage.away' })
  expect(said.filter((message) => message.includes('older'))).toHaveLength(1)

  await query(database, 'insert into ledger_entries select * from later')
  await vi.waitFor(async () => {
    clock.advance(2_000)
    await ledger.release(await ledger.hold(byUser, 1))
  }, SECONDS)
  expect(said).toContainEqual(expect.stringContaining('has again what was charged'))
  expect(await world.balance()).toBe(960)
  await ledger.close()
  await world.storage.close()
})

test('sessions cut short what takes too long, waits for a lock, or does nothing in a transaction', async () => {
  const database = await connectPostgres(await freshDatabase(), silent)
  const limits = async (pool: Knex) => {
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
    return Promise.all(names.map(async (name) => (await pool.raw(`show ${name}`)).rows[0][name]))
  }
  expect(await limits(database.write)).toEqual(['10s', '5s', '15s'])
  expect(await limits(database.read)).toEqual(['20s', '5s', '1min'])
  expect(await limits(withLongTimeouts(database).write)).toEqual(['0', '0', '1h'])
  await database.close()
})
