import { expect, test } from 'vitest'
import type { Storage } from '../../core/ports/storage.ts'
import { describeWithStorage } from '../support/databases.ts'
import { addTo, credit, ledgerWrite, newChannel, newLog, newToken, newUser, accountChange } from './samples.ts'

const BIG = 4_000_000_000_000_000

describeWithStorage('the ledger store', (open, kind) => {
  async function withAccounts(): Promise<Storage> {
    const storage = await open()
    await storage.users.insert(newUser())
    await storage.users.insert(newUser({ username: 'bob' }))
    await storage.tokens.insert(newToken())
    await storage.channels.insert([newChannel()])
    return storage
  }
  const hold = (id: string, process_id = 'p1') => ({
    id,
    account_id: 1,
    token_id: 1,
    amount: 40,
    process_id,
    concurrent: null,
  })

  test('writes a whole group commit at once', async () => {
    const storage = await withAccounts()
    await storage.ledger.transact(async (transaction) => {
      transaction.write(credit(1, BIG, BIG))
      transaction.write(ledgerWrite({ budgets: [{ id: 1, remain_quota: 500, unlimited_quota: true }] }))
    })
    await storage.ledger.transact(async (transaction) => {
      transaction.write({
        accounts: [accountChange({ quota: -30, used_quota: 30, request_count: 1, entries_hash: 'abc' })],
        tokens: [{ id: 1, remain_quota: -30, held: 0, used_quota: 30, accessed_time: 1_700_000_100 }],
        budgets: [],
        channels: [{ id: 1, used_quota: 30 }],
        entries: [
          {
            ...{ account_id: 1, token_id: 1, kind: 'charge', amount: -30, balance_after: BIG - 30, hold_id: 'h1' },
            ...{
              reference: null,
              request_id: 'r1',
              by_user_id: null,
              created_at: 1_700_000_100,
              hash: 'abc',
              detail: null,
              cost: null,
            },
          },
        ],
        holds: [],
        freed: [],
        shrunk: [],
        logs: [newLog({ channel: 1 })],
        letters: [],
        counters: [],
        places: [],
      })
    })
    expect(await storage.users.find(1)).toMatchObject({ quota: BIG - 30, used_quota: 30, request_count: 1 })
    expect(await storage.tokens.find(1)).toMatchObject({
      ...{ remain_quota: 470, unlimited_quota: true, used_quota: 30, accessed_time: 1_700_000_100 },
    })
    expect(await storage.channels.find(1)).toMatchObject({ used_quota: 30 })
    expect((await storage.logs.list({}, { offset: 0, limit: 9 })).items).toMatchObject([newLog({ channel: 1 })])
    expect(await storage.ledger.faults()).toEqual([])
  })

  test('overwrites a budget first and adds the changes to it, and never turns the last use back', async () => {
    const storage = await withAccounts()
    const change = (accessed_time: number) => [{ id: 1, remain_quota: -10, held: 0, used_quota: 10, accessed_time }]
    const budgets = [{ id: 1, remain_quota: 100, unlimited_quota: false }]
    await storage.ledger.transact(async (transaction) =>
      transaction.write(ledgerWrite({ budgets, tokens: change(50) })),
    )
    await storage.ledger.transact(async (transaction) => transaction.write(ledgerWrite({ tokens: change(0) })))
    expect(await storage.tokens.find(1)).toMatchObject({ remain_quota: 80, unlimited_quota: false, accessed_time: 50 })
  })

  test('reads the balances of those accounts that exist', async () => {
    const storage = await withAccounts()
    await addTo(storage, 2, 70)
    const accounts = await storage.ledger.transact((transaction) => transaction.accounts([1, 2, 99], [1, 99]))
    expect([...accounts.accounts].sort((a, b) => a.id - b.id)).toEqual([
      { id: 1, quota: 0, held: 0, aff_quota: 0, entries_hash: '' },
      { id: 2, quota: 70, held: 0, aff_quota: 0, entries_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
    expect(accounts.tokens).toEqual([{ id: 1, remain_quota: 0, unlimited_quota: false, held: 0 }])
    expect(await storage.ledger.transact((transaction) => transaction.accounts([], []))).toEqual({
      accounts: [],
      tokens: [],
    })
  })

  test('undoes everything when the work fails', async () => {
    const storage = await withAccounts()
    const failing = storage.ledger.transact(async (transaction) => {
      transaction.write(credit(1, 50, 50))
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await storage.users.find(1)).toMatchObject({ quota: 0 })
    await addTo(storage, 1, 5)
    expect(await storage.users.find(1)).toMatchObject({ quota: 5 })
  })

  test('refuses a second charge of a hold and a second entry of a reference', async () => {
    const storage = await withAccounts()
    const charge = {
      ...{ account_id: 1, token_id: null, kind: 'charge' as const, amount: 0, balance_after: 0, hold_id: 'h1' },
      ...{ reference: null, request_id: null, by_user_id: null, created_at: 1, hash: '', detail: null, cost: null },
    }
    const settle = () =>
      storage.ledger.transact(async (transaction) => transaction.write(ledgerWrite({ entries: [charge] })))
    await settle()
    await expect(settle()).rejects.toThrow()
    await addTo(storage, 1, 5, 'order 1')
    await expect(addTo(storage, 2, 5, 'order 1')).rejects.toThrow()
    expect(await storage.users.find(2)).toMatchObject({ quota: 0 })
    const known = await storage.ledger.transact(async (transaction) => ({
      charged: await transaction.chargedHolds(['h1', 'h2']),
      references: await transaction.knownReferences([
        { kind: 'gift', reference: 'order 1' },
        { kind: 'gift', reference: 'order 2' },
        { kind: 'topup', reference: 'order 1' },
      ]),
    }))
    expect(known).toEqual({ charged: ['h1'], references: [{ kind: 'gift', reference: 'order 1' }] })
  })

  test('keeps holds, gives each away once, and finds those of the dead', async () => {
    const { ledger } = await withAccounts()
    await ledger.renewLease('p1', -1)
    await ledger.renewLease('p2', 60_000)
    await ledger.renewLease('p1', 60_000)
    const holds = [hold('a'), hold('b', 'p2'), { ...hold('c', 'p3'), token_id: null }]
    await ledger.transact(async (transaction) => transaction.write(ledgerWrite({ holds })))
    expect(await ledger.countHolds()).toBe(3)
    const orphans = async (limit: number) => (await ledger.orphanedHolds(limit)).map(({ id }) => id).sort()
    expect(await orphans(10)).toEqual(['c'])
    await ledger.renewLease('p2', -1)
    expect(await orphans(10)).toEqual(['b', 'c'])
    expect(await orphans(1)).toHaveLength(1)
    await ledger.renewLease('p2', 60_000)
    await ledger.endLease('p1')
    expect(await orphans(10)).toEqual(['a', 'c'])
    expect(await ledger.orphanedHolds(10)).toContainEqual(hold('a'))
    const take = (ids: string[]) =>
      ledger.transact(async (transaction) => {
        const open = (await transaction.openHolds(ids)).map(({ id }) => id)
        transaction.write(ledgerWrite({ freed: open.map((id) => ({ id })) }))
        return open
      })
    expect(await take(['a', 'c', 'x'])).toEqual(['a', 'c'])
    expect(await take(['a', 'b'])).toEqual(['b'])
    expect(await ledger.countHolds()).toBe(0)
  })

  test('finds a balance without entries and reservations without holds', async () => {
    const storage = await withAccounts()
    const kinds = async () => (await storage.ledger.faults()).map(({ kind }) => kind)
    await addTo(storage, 1, 100)
    await storage.ledger.transact(async (transaction) =>
      transaction.write(ledgerWrite({ accounts: [accountChange({ id: 2, quota: 7 })] })),
    )
    expect(await storage.ledger.faults()).toEqual([
      { kind: 'balance', account_id: 2, token_id: null, hold_id: null, expected: 0, found: 7 },
    ])
    const token = { id: 1, remain_quota: 0, held: 40, used_quota: 0, accessed_time: 0 }
    await storage.ledger.transact(async (transaction) =>
      transaction.write(ledgerWrite({ accounts: [accountChange({ held: 40 })], tokens: [token] })),
    )
    expect(await kinds()).toEqual(['held', 'token_held', 'balance'])
    expect(await storage.ledger.faults(2)).toHaveLength(1)
    await storage.ledger.transact(async (transaction) => transaction.write(ledgerWrite({ holds: [hold('a')] })))
    expect(await kinds()).toEqual(['balance'])
  })

  test('loses no change when many transactions run at once', async () => {
    const storage = await withAccounts()
    const others = kind === 'postgres' ? [await open(), await open()] : []
    const all = [storage, ...others]
    const both = async (from: Storage, ids: number[]) =>
      from.ledger.transact(async (transaction) => {
        const { accounts } = await transaction.accounts(ids, [])
        const quota = new Map(accounts.map((account) => [account.id, account.quota]))
        const writes = ids.map((id) => credit(id, 1, (quota.get(id) ?? 0) + 1))
        transaction.write(
          ledgerWrite({
            accounts: writes.flatMap((write) => write.accounts),
            entries: writes.flatMap((write) => write.entries),
            channels: [{ id: 1, used_quota: 1 }],
          }),
        )
      })
    // Accounts in opposite orders, from several processes.
    await Promise.all(
      all.flatMap((from) => Array.from({ length: 20 }, (_, index) => both(from, index % 2 === 0 ? [1, 2] : [2, 1]))),
    )
    const rounds = 20 * all.length
    expect(await storage.users.find(1)).toMatchObject({ quota: rounds })
    expect(await storage.users.find(2)).toMatchObject({ quota: rounds })
    expect(await storage.channels.find(1)).toMatchObject({ used_quota: rounds })
    expect(await storage.ledger.faults()).toEqual([])
  })

  test('what channels were charged is added once, by whoever is asked, also where one is gone', async () => {
    const storage = await withAccounts()
    const charge = (id: number) => storage.ledger.commit(ledgerWrite({ channels: [{ id, used_quota: 3 }] }))
    for (let round = 0; round < 20; round += 1) await Promise.all([charge(1), charge(99)])
    await Promise.all(Array.from({ length: 5 }, () => storage.channels.addCharges()))
    const [found, listed] = await Promise.all([storage.channels.find(1), storage.channels.all()])
    expect([found?.used_quota, listed[0]?.used_quota]).toEqual([60, 60])
    await charge(1)
    expect((await storage.channels.list({ offset: 0, limit: 5 })).items[0]).toMatchObject({ used_quota: 63 })
  })

  test('never grants more than a balance covers, over any number of processes', async () => {
    const storage = await withAccounts()
    const all = kind === 'postgres' ? [storage, await open()] : [storage]
    await addTo(storage, 1, 100)
    const take = (from: Storage) =>
      from.ledger.transact(async (transaction) => {
        const { accounts } = await transaction.accounts([1], [])
        const quota = accounts[0]?.quota ?? 0
        if (quota < 30) return false
        transaction.write(credit(1, -30, quota - 30))
        return true
      })
    const granted = await Promise.all(
      Array.from({ length: 12 }, (_, index) => take(all[index % all.length] as Storage)),
    )
    expect(granted.filter(Boolean)).toHaveLength(3)
    expect(await storage.users.find(1)).toMatchObject({ quota: 10 })
  })

  test('says whether this process owns the database alone', async () => {
    expect((await open()).ledger.exclusive).toBe(kind === 'sqlite')
  })
})
