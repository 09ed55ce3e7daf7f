// A database of the release before accounts is brought to accounts that pay: its books hold, and go on.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { connectPostgres, connectSqlite } from '../../core/adapters/knex/connect.ts'
import { openStorage } from '../../core/adapters/knex/index.ts'
import { openDatabase } from '../../core/adapters/knex/open.ts'
import { signatures } from '../../core/adapters/signatures.ts'
import { auditChains } from '../../core/quota/chain-audit.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { ports, silent, testSecrets } from '../support/databases.ts'
import { freshDatabase } from '../support/postgres.ts'
import { anotherLedger } from '../core/quota/world.ts'
import { createFakeClock } from '../support/clock.ts'
import { fillFormerRelease, migrateUpTo, SUMMED_HOUR } from './former-release.ts'
import { newUser } from './samples.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

const CHARGES = 2_000

test.each(listDatabaseKinds())('entries of the time before chains are chained on %s', async (kind) => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-former-'))
  const place = kind === 'postgres' ? { database: await freshDatabase() } : { folder }
  const former = await openDatabase({ ...place, ...ports() })
  await migrateUpTo(former, '0009-installation')
  await former.write('users').insert({ id: 1, username: 'ada', created_time: 1, quota: 10 })
  const entries = [5, -3, 8].map((amount, at, all) => {
    const balance_after = all.slice(0, at + 1).reduce((sum, each) => sum + each, 0)
    return { user_id: 1, kind: 'adjustment', amount, balance_after, created_at: 1 }
  })
  await former.write('ledger_entries').insert(entries)
  await former.close()
  const storage = await openStorage({ ...place, ...ports() })
  const withoutKey = { digestOf: () => signatures.digest, ground: null }
  expect(await auditChains(storage.entries, withoutKey, { limit: 9 })).toEqual({ accounts: 1, entries: 3, faults: [] })
  expect(await storage.ledger.faults()).toEqual([])
  await storage.close()
  await rm(folder, { recursive: true, force: true })
})

describe.each(listDatabaseKinds())('a database of the former release on %s', (kind) => {
  let folder: string
  let place: { folder: string } | { database: string }
  let storage: Storage
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-former-'))
    place = kind === 'postgres' ? { database: await freshDatabase() } : { folder }
    const former = await openDatabase({ ...place, ...ports() })
    await fillFormerRelease(former, CHARGES, testSecrets.chainDigest(testSecrets.chainKey))
    await former.close()
    storage = await openStorage({ ...place, ...ports() })
  })
  afterEach(async () => {
    await storage.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('has one account for each user, with the balance it had, and books that hold', async () => {
    const quota = 1_000_000_000 - (CHARGES / 10) * 30
    expect(await storage.users.find(3)).toMatchObject({ id: 3, username: 'user 3', quota, used_quota: 6000 })
    expect(await storage.ledger.faults()).toEqual([])
    const audit = await auditChains(storage.entries, storage.chain, { limit: 9 })
    expect(audit).toEqual({ accounts: 10, entries: CHARGES + 10, faults: [] })
    const page = await storage.entries.list({ account_id: 3 }, { offset: 0, limit: 1 })
    expect(page.items).toMatchObject([{ account_id: 3, amount: -30, balance_after: quota, detail: null, cost: null }])
    expect(await storage.logs.ofRequests(['r-h2'])).toMatchObject([{ user_id: 3, hold_id: '', operation: '' }])
  })

  it('keeps the usage that was summed up by hour, and adds the calls that were not yet', async () => {
    const range = { start_timestamp: SUMMED_HOUR, end_timestamp: 1_700_000_000 }
    const rest = CHARGES / 2 / 10
    const own = { user_id: 3, username: 'user 3', model_name: 'gpt-4o' }
    expect(await storage.usage.hours({ ...range, username: 'user 3' })).toEqual([
      { ...own, created_at: SUMMED_HOUR, token_used: 10, count: 1, quota: 30 },
      { ...own, created_at: 1_699_999_200, token_used: 10 * rest, count: rest, quota: 30 * rest },
    ])
    const all = await storage.usage.hours(range)
    expect(all.map(({ count, quota }) => [count, quota])).toEqual([
      [1, 30],
      [10 * rest, 300 * rest],
    ])
  })

  it('goes on with entries of the present form in the same chains, and gives new users the next ids', async () => {
    const ledger = await anotherLedger(storage, createFakeClock())
    const hold = await ledger.hold({ account_id: 3, by_user_id: null, token: { id: 3, mask: '' } }, 5, { free: true })
    await ledger.settle(hold, { quota: 4, channel_id: 0, billable: true, detail: '{"model":"m"}', cost: 2 })
    const { id } = await storage.users.insert(newUser({ username: 'new' }))
    expect(id).toBe(11)
    await ledger.credit({ account_id: id, kind: 'gift', amount: 9 })
    await ledger.close()
    expect(await storage.ledger.faults()).toEqual([])
    expect((await auditChains(storage.entries, storage.chain, { limit: 9 })).faults).toEqual([])
    expect(await storage.entries.findByHold(hold.id)).toMatchObject({ detail: '{"model":"m"}', cost: 2 })
  })

  it('is checked as before, and as whole as before', async () => {
    const raw =
      'folder' in place ? await connectSqlite(place.folder, silent) : await connectPostgres(place.database, silent)
    try {
      const refused = (sql: string) => expect(raw.write.raw(sql), sql).rejects
      await refused('update accounts set quota = 9007199254740992').toThrow('accounts_amounts_check')
      await refused('update ledger_entries set amount = 9007199254740992').toThrow('ledger_entries_amounts_check')
      await refused(
        "insert into ledger_entries (account_id, kind, amount, balance_after, created_at) values (99, 'gift', 1, 1, 1)",
      ).toThrow(/foreign key/i)
      if (kind === 'postgres') return
      expect(await raw.write.raw('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
      expect(await raw.write.raw('pragma foreign_key_check')).toEqual([])
    } finally {
      await raw.close()
    }
  })
})
