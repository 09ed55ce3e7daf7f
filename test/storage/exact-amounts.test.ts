// Neither database takes an amount that no number holds exactly; one that is there all the same hides no other row.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../core/adapters/knex/connection/database.ts'
import { connectPostgres, connectSqlite } from '../../core/adapters/knex/connection/connection.ts'
import { openStorage } from '../../core/adapters/knex/index.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { ports, silent } from '../support/databases.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { addTo, newChannel, newToken, newUser } from './samples.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

/** 2^53 and its negative: the first numbers that have a neighbour they cannot be told from. */
const TOO_LARGE = ['9007199254740992', '-9007199254740992']
const MOST = Number.MAX_SAFE_INTEGER

/** As if what is written had been there before the checks. */
async function unchecked({ kind, write }: Database, table: string, work: () => Promise<unknown>): Promise<void> {
  if (kind === 'postgres') {
    const constraint = `constraint ${table}_amounts_check`
    const check = 'select pg_get_constraintdef(oid) as text from pg_constraint where conname = ?'
    const [{ text }] = (await write.raw(check, [`${table}_amounts_check`])).rows as [{ text: string }]
    await write.raw(`alter table ${table} drop ${constraint}`)
    await work()
    await write.raw(`alter table ${table} add ${constraint} ${text}`)
    return
  }
  const [trigger] = (await write.raw('select sql from sqlite_master where name = ?', [`${table}_amounts_update`])) as {
    sql: string
  }[]
  if (trigger) await write.raw(`drop trigger ${table}_amounts_update`)
  await write.raw('pragma ignore_check_constraints = on')
  await work()
  await write.raw('pragma ignore_check_constraints = off')
  if (trigger) await write.raw(trigger.sql)
}

describe.each(listDatabaseKinds())('amounts that are not exact on %s', (kind) => {
  let storage: Storage
  let raw: Database
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-amounts-'))
    const database = kind === 'postgres' ? await migratedDatabase() : undefined
    storage = await openStorage({ ...(database ? { database } : { folder }), ...ports() })
    raw = database ? await connectPostgres(database, silent) : await connectSqlite(folder, silent)
    await storage.users.insert(newUser())
    await storage.users.insert(newUser({ username: 'bob' }))
    await storage.tokens.insert(newToken())
    await storage.channels.insert([newChannel()])
    await addTo(storage, 1, 5)
    await storage.redemptions.insert([{ user_id: 1, name: 'one', quota: 5, created_time: 1, key: 'k' }])
  })
  afterEach(async () => {
    await raw.close()
    await storage.close()
    await rm(folder, { recursive: true, force: true })
  })

  const columns = [
    ...['accounts.quota', 'accounts.aff_quota', 'accounts.used_quota', 'tokens.remain_quota', 'tokens.used_quota'],
    ...['channels.used_quota', 'ledger_entries.amount', 'ledger_entries.balance_after', 'redemptions.quota'],
  ].map((name) => name.split('.') as [table: string, column: string])

  it('are refused by the database itself, in what people change and in what calls write', async () => {
    for (const [table, column] of columns) {
      for (const value of TOO_LARGE) {
        await expect(raw.write.raw(`update ${table} set ${column} = ${value}`), `${table}.${column}`).rejects.toThrow(
          `${table}_amounts_check`,
        )
      }
    }
  })

  it('are shown as such, with their id, where they were stored before, beside everybody else', async () => {
    for (const [table, column] of columns) {
      const plant = () => raw.write.raw(`update ${table} set ${column} = ${TOO_LARGE[0]} where id = 1`)
      await unchecked(raw, table, plant)
    }
    const { items } = await storage.users.list({ offset: 0, limit: 9 })
    expect(items.map(({ id, quota, unreadable }) => ({ id, quota, unreadable }))).toEqual([
      { id: 2, quota: 0, unreadable: undefined },
      { id: 1, quota: MOST, unreadable: ['quota', 'used_quota', 'aff_quota'] },
    ])
    expect(await storage.tokens.find(1)).toMatchObject({ unreadable: ['remain_quota', 'used_quota'] })
    expect(await storage.channels.all()).toMatchObject([{ used_quota: MOST, unreadable: ['used_quota'] }])
    const redemptions = await storage.redemptions.list('', { offset: 0, limit: 9 })
    expect(redemptions.items).toMatchObject([{ quota: MOST, unreadable: ['quota'] }])
    const entries = await storage.entries.list({ account_id: 1 }, { offset: 0, limit: 9 })
    expect(entries.items).toMatchObject([{ id: 1, unreadable: ['amount', 'balance_after'] }])
    expect(await storage.ledger.faults()).toContainEqual(expect.objectContaining({ kind: 'inexact', account_id: 1 }))
    expect((await storage.ledger.faults()).filter(({ account_id }) => account_id === 2)).toEqual([])
  })
})
