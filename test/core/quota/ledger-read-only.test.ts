// No pending charge is lost while a database is read-only, or rejects writes for its own reasons.
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { openStorage } from '../../../core/adapters/knex/index.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Limit } from '../../../core/quota/limits.ts'
import type { WriteTransaction } from '../../../core/ports/storage.ts'
import type { LedgerStore } from '../../../core/quota/store.ts'
import { newLog } from '../../storage/samples.ts'
import { describeWithStorage, ports } from '../../support/databases.ts'
import { freshDatabase } from '../../support/postgres.ts'
import { anotherLedger, costs, openWorld } from './world.ts'

const limits: Limit[] = [{ kind: 'concurrent', key: 'user:1:calls', max: 100 }]

describe('a PostgreSQL that takes nothing for a while', () => {
  test.each([
    ['read-only', 'alter database NAME set default_transaction_read_only = on', 'alter database NAME reset all'],
    [
      'without a table',
      'alter table ledger_entries rename to elsewhere',
      'alter table elsewhere rename to ledger_entries',
    ],
  ])('loses no charge, and calls come back by themselves: %s', { timeout: 60_000 }, async (_what, trouble, repair) => {
    const url = await freshDatabase()
    const name = new URL(url).pathname.slice(1)
    const world = await openWorld(async ({ clock }) => openStorage({ database: url, ...ports(), clock }))
    const { ledger, clock } = world
    /** For new connections, which all are then. Whoever repairs it may write. */
    const tell = async (statement: string) => {
      const client = new pg.Client({ connectionString: url, options: '-c default_transaction_read_only=off' })
      await client.connect()
      await client.query(statement.replace('NAME', name))
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
        [name],
      )
      await client.end()
    }
    const holds = await Promise.all(Array.from({ length: 20 }, () => ledger.hold(world.byToken, 10, { limits })))
    await tell(trouble)
    const settled = Promise.all(holds.map((hold) => ledger.settle(hold, costs(10), newLog({ quota: 10 }))))
    const codes: string[] = []
    for (let at = 0; at < 8; at++) {
      const outcome = await ledger.hold(world.byToken, 10, { limits }).catch((error: GatewayError) => error.code)
      if (typeof outcome === 'string') codes.push(outcome)
      clock.advance(2_000)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(new Set(codes)).toEqual(new Set(['storage.away']))
    await tell(repair)
    let done = false
    void settled.then(() => (done = true))
    await vi.waitFor(
      () => {
        clock.advance(2_000)
        expect(done).toBe(true)
      },
      { timeout: 20_000 },
    )
    expect(await world.balance()).toBe(800)
    expect(await world.logs()).toHaveLength(20)
    const next = await vi.waitFor(async () => {
      clock.advance(2_000)
      return ledger.hold(world.byToken, 800, { limits })
    })
    await ledger.settle(next, costs(1))
    await vi.waitFor(async () => expect(await world.storage.ledger.faults()).toEqual([]))
    await ledger.close()
    await world.storage.close()
  })
})

describeWithStorage('a ledger and what storage refuses', (open) => {
  /** A ledger whose store fails with the next of these errors, as the database's driver would. */
  async function failing(errors: unknown[]) {
    const world = await openWorld(open)
    await world.ledger.close()
    const store = world.storage.ledger
    const through = <T>(work: () => Promise<T>) => (errors.length > 0 ? Promise.reject(errors.shift()) : work())
    const broken: LedgerStore<WriteTransaction> = {
      ...store,
      transact: (work, options) => through(() => store.transact(work, options)),
      commit: (write) => through(() => store.commit(write)),
    }
    return { ...world, ledger: await anotherLedger({ ...world.storage, ledger: broken }, world.clock) }
  }

  test('one call may try in each pause of an outage that nobody owes anything in', async () => {
    const errors: unknown[] = []
    const world = await failing(errors)
    errors.push(...Array.from({ length: 2 }, () => new GatewayError('storage.away')))
    const credit = () => world.ledger.credit({ account_id: world.user, kind: 'gift', amount: 1 })
    await expect(credit()).rejects.toMatchObject({ code: 'storage.away' })
    await expect(world.ledger.hold(world.byUser, 1)).rejects.toMatchObject({ code: 'storage.away' })
    errors.length = 0
    world.clock.advance(2_000)
    const tries = await Promise.allSettled([1, 2].map(() => world.ledger.hold(world.byUser, 1)))
    expect(tries.map(({ status }) => status)).toContain('fulfilled')
    await credit()
    await world.ledger.hold(world.byUser, 1)
  })

  test('a charge that is refused for what it says is told, kept, and keeps nobody else waiting', async () => {
    const world = await failing([])
    const [bad, good] = await Promise.all([1, 2].map(() => world.ledger.hold(world.byUser, 100)))
    await world.ledger.credit({ account_id: world.user, kind: 'gift', amount: -1001 })
    const outcomes = await Promise.allSettled([
      world.ledger.settle(bad!, { ...costs(Number.MAX_SAFE_INTEGER), request_id: 'r1' }, newLog()),
      world.ledger.settle(good!, costs(7)),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    await vi.waitFor(async () =>
      expect(await world.logs()).toEqual([
        expect.objectContaining({
          type: 5,
          request_id: 'r1',
          content: expect.stringContaining(`charge of ${Number.MAX_SAFE_INTEGER} quota`),
        }),
      ]),
    )
    expect(await world.balance()).toBe(-8)
    expect(world.ledger.openHolds()).toBe(0)
    await world.ledger.credit({ account_id: world.user, kind: 'gift', amount: 1008 })
    await world.ledger.hold(world.byUser, 1000)
    expect(await world.storage.ledger.faults()).toEqual([])
  })
})
