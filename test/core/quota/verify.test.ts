// Verification finds every change of the books that bypasses the ledger, on both databases.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../core/adapters/knex/connection/database.ts'
import { connectPostgres, connectSqlite } from '../../../core/adapters/knex/connection/connection.ts'
import { auditChains } from '../../../core/quota/chain.ts'
import { openStorage } from '../../../core/adapters/knex/index.ts'
import { noSession } from '../../../core/auth/caller.ts'
import { createQuotaHandlers } from '../../../core/quota/feature.ts'
import type { LedgerEntry } from '../../../core/quota/ledger-entry.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'
import { ports, silent, testSecrets } from '../../support/databases.ts'
import { freshDatabase } from '../../support/postgres.ts'
import { nobody } from '../../support/signed-in.ts'
import { anotherLedger, costs, openWorld, type World } from './world.ts'
import { listDatabaseKinds } from '../../support/database-kinds.ts'

type Row = Omit<LedgerEntry, 'id'> & { id: number }

describe.each(listDatabaseKinds())('verification on %s', (kind) => {
  let world: World
  let raw: Database
  let stop: (() => Promise<void>)[] = []

  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weir-verify-'))
    const database = kind === 'postgres' ? await freshDatabase() : undefined
    const place = database ? { database } : { folder }
    world = await openWorld(({ clock }) => openStorage({ ...place, ...ports(), clock }))
    raw = database ? await connectPostgres(database, silent) : await connectSqlite(folder, silent)
    stop = [() => raw.close(), () => world.storage.close(), () => rm(folder, { recursive: true, force: true })]
  })
  afterEach(async () => {
    for (const each of stop) await each()
  })

  const entries = () => raw.write<Row>('ledger_entries')
  const verify = (user_id?: number) => {
    const { storage, ledger, clock } = world
    const handlers = createQuotaHandlers({ storage, ledger, clock, settings: defaultSettings, secrets: testSecrets })
    return handlers.verify(user_id === undefined ? {} : { account_id: user_id }, { caller: nobody, session: noSession })
  }
  const kinds = async (user_id?: number) => (await verify(user_id)).faults.map(({ kind: each }) => each)
  const chains = () => auditChains(world.storage.entries, world.storage.chain, { limit: 100 })

  /** Charges and credits that share group commits. */
  async function spend(times: number, ledger = world.ledger): Promise<void> {
    const holds = await Promise.all(Array.from({ length: times }, () => ledger.hold(world.byToken, 1)))
    await Promise.all([
      ...holds.map((hold, index) => ledger.settle(hold, { ...costs(index % 3), request_id: `request ${hold.id}` })),
      ...holds.map((hold) =>
        ledger.credit({ account_id: world.user, kind: 'topup', amount: 2, reference: `o ${hold.id}` }),
      ),
    ])
  }

  test('many entries of one account in one group commit make one chain', async () => {
    await spend(100)
    expect(await chains()).toEqual({ accounts: 1, entries: 201, faults: [] })
    expect(await verify()).toMatchObject({ ok: true, open_holds: 0, accounts: 1, entries: 201, faults: [] })
    expect(await entries().whereNotNull('request_id').count({ n: '*' }).first()).toMatchObject({ n: 100 })
  })

  test('processes that share a database write one chain', async () => {
    const others = world.storage.ledger.exclusive
      ? [world.ledger]
      : [await anotherLedger(world.storage, world.clock), await anotherLedger(world.storage, world.clock)]
    await Promise.all([spend(40), ...others.map((ledger) => spend(40, ledger))])
    expect((await chains()).faults).toEqual([])
    expect(await verify()).toMatchObject({ ok: true })
  })

  test('a process that starts anew goes on with the chain', async () => {
    await spend(3)
    await spend(3, await anotherLedger(world.storage, world.clock))
    expect((await chains()).faults).toEqual([])
  })

  test('finds any edit, deletion, insertion and swap of entries', async () => {
    await spend(6)
    const kept: Row[] = await entries().orderBy('id')
    const restore = async () => {
      await entries().delete()
      await entries().insert(kept)
    }
    const edits: [keyof Row, unknown][] = [
      ...(['amount', 'balance_after', 'created_at', 'token_id', 'by_user_id'] as const).map(
        (field): [keyof Row, unknown] => [field, 987_654],
      ),
      ...(['hold_id', 'reference', 'request_id', 'hash'] as const).map((field): [keyof Row, unknown] => [field, 'x']),
      ['kind', 'invitation'],
    ]
    const tampering = fc.record({
      how: fc.constantFrom('edit', 'delete', 'insert', 'swap'),
      edit: fc.constantFrom(...edits),
      at: fc.nat(kept.length - 1),
      by: fc.integer({ min: 1, max: kept.length - 1 }),
    })
    const work = async ({ how, edit, at, by }: { how: string; edit: [keyof Row, unknown]; at: number; by: number }) => {
      const one = kept[at] as Row
      const other = kept[(at + by) % kept.length] as Row
      if (how === 'edit')
        await entries()
          .where({ id: one.id })
          .update(Object.fromEntries([edit]))
      if (how === 'delete') await entries().where({ id: one.id }).delete()
      if (how === 'insert') {
        await entries().insert({ ...one, id: 1000 + by, hold_id: null, reference: null })
      }
      if (how === 'swap') {
        await entries().whereIn('id', [one.id, other.id]).delete()
        await entries().insert([
          { ...one, id: other.id },
          { ...other, id: one.id },
        ])
      }
      expect((await chains()).faults.length, how).toBeGreaterThan(0)
      expect((await verify()).ok, how).toBe(false)
      await restore()
      expect((await chains()).faults).toEqual([])
    }
    await fc.assert(fc.asyncProperty(tampering, work), { seed: 20260101, numRuns: kind === 'sqlite' ? 60 : 40 })
  }, 60_000)

  test('tells each sort of fault, and where it is', async () => {
    await spend(2)
    expect(await kinds()).toEqual([])
    const user = (change: object) => raw.write('accounts').where({ id: world.user }).update(change)
    const planted = async (plant: () => PromiseLike<unknown>, expected: string[], undo: () => PromiseLike<unknown>) => {
      await plant()
      const { ok, faults } = await verify()
      expect([ok, faults.map(({ kind: each }) => each)]).toEqual([false, expected])
      expect(faults.every(({ account_id }) => account_id === world.user)).toBe(true)
      await undo()
      expect(await kinds()).toEqual([])
    }
    const add = (column: string, amount: number) => ({ [column]: raw.write.raw('?? + ?', [column, amount]) })
    await planted(
      () => user(add('quota', 5)),
      ['balance'],
      () => user(add('quota', -5)),
    )
    await planted(
      () => user(add('held', 5)),
      ['held'],
      () => user(add('held', -5)),
    )
    const token = (change: object) => raw.write('tokens').where({ id: world.token }).update(change)
    await planted(
      () => token(add('held', 5)),
      ['token_held'],
      () => token(add('held', -5)),
    )
    const [account] = await raw.write('accounts').where({ id: world.user }).select('entries_hash')
    await planted(
      () => user({ entries_hash: 'x' }),
      ['chain_end'],
      () => user(account),
    )

    const last = (await entries().orderBy('id', 'desc').first()) as Row
    const edit = (change: Partial<Row>) => entries().where({ id: last.id }).update(change)
    await planted(
      () => edit({ balance_after: last.balance_after + 1 }),
      ['chain', 'running_balance'],
      () => edit({ balance_after: last.balance_after }),
    )
    expect((await verify()).faults).toEqual([])
    await edit({ created_at: 5 })
    expect((await verify()).faults).toMatchObject([{ kind: 'chain', entry_id: last.id, found: last.hash }])
    await edit({ created_at: last.created_at })
  })

  test('looks at one account where one is asked for', async () => {
    const { id: other } = await world.storage.users.insert({
      ...{ username: 'bob', display_name: 'Bob', role: 1, group: 'default', password_hash: '', created_time: 1 },
    })
    await raw.write('accounts').where({ id: other }).update({ quota: 7 })
    expect(await kinds(world.user)).toEqual([])
    expect(await verify(other)).toMatchObject({
      ok: false,
      accounts: 1,
      faults: [{ kind: 'balance', account_id: other }],
    })
    expect(await verify(999)).toMatchObject({ ok: true, accounts: 0 })
  })

  // On sqlite the holds of a process are in its memory and die with it.
  if (kind === 'postgres') {
    test('tells holds of the dead, and holds that are charged and still open', async () => {
      const alive = await world.ledger.hold(world.byToken, 10)
      expect(await verify()).toMatchObject({ ok: true, open_holds: 1 })
      await raw.write('leases').delete()
      expect((await verify()).faults).toMatchObject([
        { kind: 'orphaned_hold', account_id: world.user, token_id: world.token, hold_id: alive.id, found: 10 },
      ])
      await world.ledger.sweep()
      expect(await kinds()).toEqual([])
      const charged = (await entries().where({ kind: 'gift' }).first()) as Row
      await entries().where({ id: charged.id }).update({ hold_id: 'h' })
      const hold = { id: 'h', account_id: world.user, token_id: null, amount: 0, process_id: 'p', created_at: 1 }
      await raw.write('holds').insert(hold)
      expect(await kinds()).toEqual(expect.arrayContaining(['charged_hold', 'orphaned_hold', 'chain']))
    })
  }

  test('reads a statement by range, with the balances before and after it', async () => {
    const { storage, ledger, clock, user } = world
    const start = Math.floor(clock.now() / 1000)
    for (const amount of [100, -30, 5]) {
      clock.advance(60_000)
      await ledger.credit({ account_id: user, kind: 'adjustment', amount, by_user_id: user })
    }
    const list = (from: number, to: number, slice = { offset: 0, limit: 10 }) =>
      storage.entries.list(
        { account_id: user, ...(from ? { start_timestamp: from } : {}), ...(to ? { end_timestamp: to } : {}) },
        slice,
      )
    expect(await list(0, 0)).toMatchObject({ total: 4, opening_balance: 0, closing_balance: 1075 })
    const middle = await list(start + 60, start + 120)
    expect(middle).toMatchObject({ total: 2, opening_balance: 1000, closing_balance: 1070 })
    expect(middle.items.map(({ amount }) => amount)).toEqual([-30, 100])
    expect((await list(0, 0, { offset: 1, limit: 2 })).items.map(({ amount }) => amount)).toEqual([-30, 100])
    expect(await list(start + 61, start + 119)).toMatchObject({
      items: [],
      opening_balance: 1100,
      closing_balance: 1100,
    })
    expect(await list(0, start - 1)).toMatchObject({ items: [], opening_balance: 0, closing_balance: 0 })
    expect(await list(start + 999, 0)).toMatchObject({ items: [], opening_balance: 1075, closing_balance: 1075 })
  })
})
