// Databases of release 0.1.0 and of the release before this one are brought to this version's schema: their books hold, and go on.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectPostgres, connectSqlite } from '../../core/adapters/knex/connection/connection.ts'
import { auditChains } from '../../core/quota/chain.ts'
import type { Database } from '../../core/adapters/knex/connection/database.ts'
import { openStorage } from '../../core/adapters/knex/index.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { ports, silent } from '../support/databases.ts'
import { freshDatabase } from '../support/postgres.ts'
import { anotherLedger } from '../core/quota/world.ts'
import { createFakeClock } from '../support/clock.ts'
import { fillRelease010, fillReleaseBefore, migrateUpTo, SUMMED_HOUR } from './former-release.ts'
import { newUser } from './samples.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

const CHARGES = 2_000

describe.each(listDatabaseKinds())('a former release on %s', (kind) => {
  /** An empty database, opened and closed by `work`, and gone with `remove`. */
  const createPlace = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weir-former-'))
    const url = kind === 'postgres' ? await freshDatabase() : undefined
    return {
      place: url === undefined ? { folder } : { database: url },
      async onDatabase(work: (database: Database) => Promise<unknown>) {
        const database = await (url === undefined ? connectSqlite(folder, silent) : connectPostgres(url, silent))
        await work(database).finally(() => database.close())
      },
      remove: () => rm(folder, { recursive: true, force: true }),
    }
  }
  /** What `weir ledger verify` reports. */
  const verify = async ({ ledger, entries, chain }: Storage) => [
    ...(await ledger.faults()),
    ...(await auditChains(entries, chain, { limit: 9 })).faults,
  ]

  describe('0.1.0', () => {
    let storage: Storage
    let former: Awaited<ReturnType<typeof createPlace>>
    beforeAll(async () => {
      former = await createPlace()
      await former.onDatabase((database) => fillRelease010(database, CHARGES))
      storage = await openStorage({ ...former.place, ...ports() })
    })
    afterAll(async () => {
      await storage.close()
      await former.remove()
    })

    it('has one account for each user, with the balance it had, and books that hold', async () => {
      const quota = 1_000_000_000 - (CHARGES / 10) * 30
      expect(await storage.users.find(3)).toMatchObject({ id: 3, username: 'user 3', quota, used_quota: 6000 })
      expect(await verify(storage)).toEqual([])
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

    it('keeps its access token, its tasks and its responses, in the units of now', async () => {
      expect(await storage.accessTokens.find('former')).toMatchObject({ user_id: 1, name: 'default', scope: 'all' })
      expect(await storage.accessTokens.listOfUser(2)).toEqual([])
      await former.onDatabase(async ({ read }) => {
        expect(await read('tasks').orderBy('id').select('task_id', 'platform', 'submit_time', 'finish_time')).toEqual([
          { task_id: 'song', platform: 'suno', submit_time: 6000, finish_time: 7000 },
          { task_id: 'drawing', platform: 'mj', submit_time: 6000, finish_time: 7000 },
        ])
        expect(await read('kept_responses').pluck('created_at')).toEqual([5000])
      })
    })

    it('is checked as before, and as whole as before', async () => {
      await former.onDatabase(async ({ write }) => {
        const refused = (sql: string) => expect(write.raw(sql), sql).rejects
        await refused('update accounts set quota = 9007199254740992').toThrow('accounts_amounts_check')
        await refused('update ledger_entries set amount = 9007199254740992').toThrow('ledger_entries_amounts_check')
        await refused(
          "insert into ledger_entries (account_id, kind, amount, balance_after, created_at) values (99, 'gift', 1, 1, 1)",
        ).toThrow(/foreign key/i)
        if (kind === 'postgres') return
        expect(await write.raw('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
        expect(await write.raw('pragma foreign_key_check')).toEqual([])
      })
    })

    it('goes on with entries of the present form in the same chains, and gives new users the next ids', async () => {
      const ledger = await anotherLedger(storage, createFakeClock())
      const hold = await ledger.hold({ account_id: 3, by_user_id: null, token: { id: 3, mask: '' } }, 5, { free: true })
      await ledger.settle(hold, { quota: 4, channel_id: 0, billable: true, detail: '{"model":"m"}', cost: 2 })
      const { id } = await storage.users.insert(newUser({ username: 'new' }))
      expect(id).toBe(11)
      await ledger.credit({ account_id: id, kind: 'gift', amount: 9 })
      await ledger.close()
      expect(await verify(storage)).toEqual([])
      expect(await storage.entries.findByHold(hold.id)).toMatchObject({ detail: '{"model":"m"}', cost: 2 })
    })
  })

  it('before this one goes on: books hold, teams keep what is theirs, and listed models stay open', async () => {
    const former = await createPlace()
    await former.onDatabase((database) => fillReleaseBefore(database, 100))
    const storage = await openStorage({ ...former.place, ...ports() })
    try {
      expect(await verify(storage)).toEqual([])
      expect(await storage.users.find(3)).toMatchObject({ quota: 1_000_000_000 - 300, used_quota: 300 })
      // A token of the team ends with the membership of its creator.
      expect(await storage.tokens.find(11)).toMatchObject({ team_id: 11 })
      expect(await storage.tokens.find(12)).toBeNull()
      const [one, two] = ['model:ft:gpt-4o:acme::1', 'model:ft:gpt-4o:acme::2']
      await former.onDatabase(async ({ read }) => {
        const { value } = await read('options').where({ key: 'objects.allowed' }).first('value')
        expect(JSON.parse(value)).toEqual({ default: [one], vip: [one, two] })
        expect(await read('kept_responses').orderBy('id_hash').select('id_hash', 'account_id')).toEqual([
          { id_hash: 'own', account_id: 0 },
          { id_hash: 'team', account_id: 11 },
        ])
      })
      const ledger = await anotherLedger(storage, createFakeClock())
      await ledger.credit({ account_id: 3, kind: 'gift', amount: 9 })
      await ledger.close()
      expect(await verify(storage)).toEqual([])
    } finally {
      await storage.close()
      await former.remove()
    }
  })

  it('older than 0.1.0 is refused with what to do', async () => {
    const former = await createPlace()
    await former.onDatabase((database) => migrateUpTo(database, '0009-installation'))
    await expect(openStorage({ ...former.place, ...ports() })).rejects.toThrow(
      /older than release 0\.1\.0 \(the step 0010-entry-chain is missing\): start release 0\.1\.0/,
    )
    await former.remove()
  })
})
