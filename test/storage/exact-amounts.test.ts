// Neither database takes an amount that no number holds exactly; one that is there all the same hides no other row.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectPostgres, connectSqlite, type Database } from '../../core/adapters/knex/connect.ts'
import { openStorage } from '../../core/adapters/knex/index.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { exactAmounts } from '../../migrations/0024-exact-amounts.ts'
import { amountChecks } from '../../migrations/0029-amount-checks.ts'
import { ports, silent } from '../support/databases.ts'
import { freshDatabase } from '../support/postgres.ts'
import { addTo, newChannel, newToken, newUser } from './samples.ts'

/** 2^53 and its negative: the first numbers that have a neighbour they cannot be told from. */
const TOO_LARGE = ['9007199254740992', '-9007199254740992']
const MOST = Number.MAX_SAFE_INTEGER

describe.each(['sqlite', 'postgres'] as const)('amounts that are not exact on %s', (kind) => {
  let storage: Storage
  let raw: Database
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-amounts-'))
    const database = kind === 'postgres' ? await freshDatabase() : undefined
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
    ...['users.quota', 'users.aff_quota', 'users.used_quota', 'tokens.remain_quota', 'tokens.used_quota'],
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

  // PostgreSQL's checks are plain constraints.
  it.runIf(kind === 'sqlite')('are refused without rows, indexes or foreign keys being touched', async () => {
    const schema = () => raw.write('sqlite_master').orderBy('name').select('type', 'name', 'tbl_name', 'sql')
    const rows = () => raw.write('ledger_entries').select()
    const before = [await schema(), await rows()]
    await raw.write.transaction(async (knex: Knex) => amountChecks.down?.(knex))
    expect((await schema()).filter(({ sql }) => /(users|tokens)_amounts_check/.test(sql))).toEqual([])
    await raw.write.transaction(async (knex: Knex) => amountChecks.up(knex))
    expect([await schema(), await rows()]).toEqual(before)
    expect(await raw.write.raw('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(await raw.write.raw('pragma foreign_key_check')).toEqual([])
    await addTo(storage, 1, 5)
  })

  it('are shown as such, with their id, where they were stored before, beside everybody else', async () => {
    await amountChecks.down?.(raw.write)
    await exactAmounts.down?.(raw.write)
    for (const [table, column] of columns)
      await raw.write.raw(`update ${table} set ${column} = ${TOO_LARGE[0]} where id = 1`)
    await exactAmounts.up(raw.write)
    await amountChecks.up(raw.write)
    const { items } = await storage.users.list({ offset: 0, limit: 9 })
    expect(items.map(({ id, quota, unreadable }) => ({ id, quota, unreadable }))).toEqual([
      { id: 2, quota: 0, unreadable: undefined },
      { id: 1, quota: MOST, unreadable: ['quota', 'used_quota', 'aff_quota'] },
    ])
    expect(await storage.tokens.find(1)).toMatchObject({ unreadable: ['remain_quota', 'used_quota'] })
    expect(await storage.channels.all()).toMatchObject([{ used_quota: MOST, unreadable: ['used_quota'] }])
    const redemptions = await storage.redemptions.list('', { offset: 0, limit: 9 })
    expect(redemptions.items).toMatchObject([{ quota: MOST, unreadable: ['quota'] }])
    const entries = await storage.entries.list({ user_id: 1 }, { offset: 0, limit: 9 })
    expect(entries.items).toMatchObject([{ id: 1, unreadable: ['amount', 'balance_after'] }])
    expect(await storage.ledger.faults()).toContainEqual(expect.objectContaining({ kind: 'inexact', user_id: 1 }))
    expect((await storage.ledger.faults()).filter(({ user_id }) => user_id === 2)).toEqual([])
  })
})
