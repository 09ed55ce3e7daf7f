// Behaviour that exists only if several processes share one database.
import { expect, test, vi } from 'vitest'
import { openStorage } from '../../core/adapters/knex/index.ts'
import type { CachedDataChange } from '../../core/ports/storage.ts'
import { ports } from '../support/databases.ts'
import { freshDatabase, query } from '../support/postgres.ts'
import { addTo, credit, ledgerWrite, newUser } from './samples.ts'

test('several processes may start at once on an empty database', async () => {
  const url = await freshDatabase()
  const storages = await Promise.all([1, 2, 3, 4].map(() => openStorage({ database: url, ...ports() })))
  await storages[0]?.users.insert(newUser())
  expect((await storages[3]?.users.find(1))?.username).toBe('alice')
  for (const storage of storages) await storage.close()
})

test('a change reaches the other process once, and comes back to nobody twice', async () => {
  const url = await freshDatabase()
  const [one, two] = [
    await openStorage({ database: url, ...ports() }),
    await openStorage({ database: url, ...ports() }),
  ]
  const seen = { one: [] as CachedDataChange[], two: [] as CachedDataChange[] }
  one.onChange((change) => void seen.one.push(change))
  two.onChange((change) => void seen.two.push(change))
  await one.announce({ topic: 'channels', id: 3 })
  expect(seen.one).toEqual([{ topic: 'channels', id: 3 }])
  await vi.waitFor(() => expect(seen.two).toEqual([{ topic: 'channels', id: 3 }]))
  await two.announce({ topic: 'users', id: 1 })
  await vi.waitFor(() => expect(seen.one).toHaveLength(2))
  expect(seen.two).toHaveLength(2)
  await one.close()
  await two.close()
})

test('after a lost connection everything cached counts as changed, and changes arrive again', async () => {
  const url = await freshDatabase()
  const [one, two] = [
    await openStorage({ database: url, ...ports() }),
    await openStorage({ database: url, ...ports() }),
  ]
  const seen: CachedDataChange[] = []
  two.onChange((change) => void seen.push(change))
  await query(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`,
  )
  const topics = ['settings', 'channels', 'users', 'tokens']
  await vi.waitFor(() => expect(seen).toEqual(topics.map((topic) => ({ topic, id: 0 }))), { timeout: 5000 })
  await one.announce({ topic: 'users', id: 5 })
  await vi.waitFor(() => expect(seen.at(-1)).toEqual({ topic: 'users', id: 5 }))
  await one.close()
  await two.close()
})

test('a lost connection fails its own transaction only', async () => {
  const url = await freshDatabase()
  const storage = await openStorage({ database: url, ...ports() })
  await storage.users.insert(newUser())
  const cut = storage.ledger.transact(async (transaction) => {
    await transaction.accounts([1], [])
    await query(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    )
    transaction.write(credit(1, 5, 5))
  })
  await expect(cut).rejects.toThrow()
  await addTo(storage, 1, 3)
  expect(await storage.users.find(1)).toMatchObject({ quota: 3 })
  await storage.close()
})

test('what need not outlive a crash of PostgreSQL does not wait for its disk, and is seen by everybody at once', async () => {
  const url = await freshDatabase()
  const [one, two] = [
    await openStorage({ database: url, ...ports() }),
    await openStorage({ database: url, ...ports() }),
  ]
  await one.users.insert(newUser())
  // Says with each row how durable the transaction is that writes it.
  await query(
    url,
    `create table seen (setting text);
     create function see() returns trigger language plpgsql as $$
       begin insert into seen values (current_setting('synchronous_commit')); return new; end $$;
     create trigger see before insert on holds for each row execute function see()`,
  )
  const hold = { account_id: 1, token_id: null, amount: 5, process_id: 'p', concurrent: null }
  const keep = (id: string, passing: boolean) =>
    one.ledger.transact(
      async (transaction) => {
        transaction.write(ledgerWrite({ holds: [{ id, ...hold }] }))
      },
      { passing },
    )
  await keep('a', true)
  expect(await two.ledger.transact((transaction) => transaction.openHolds(['a', 'b']))).toMatchObject([{ id: 'a' }])
  await keep('b', false)
  expect(await query(url, 'select setting from seen')).toEqual([{ setting: 'off' }, { setting: 'on' }])
  await one.close()
  await two.close()
})

test('a transaction that PostgreSQL undid because of a deadlock is done again', async () => {
  const url = await freshDatabase()
  const storage = await openStorage({ database: url, ...ports() })
  await storage.users.insert(newUser())
  await storage.users.insert(newUser({ username: 'bob' }))
  let runs = 0
  const crossed = (first: number, second: number) =>
    storage.ledger.transact(async (transaction) => {
      runs += 1
      await transaction.accounts([first], [])
      await new Promise((resolve) => setTimeout(resolve, 100))
      transaction.write(credit(second, 1, 1))
    })
  await Promise.all([crossed(1, 2), crossed(2, 1)])
  expect(runs).toBeGreaterThan(2)
  expect(await storage.users.find(1)).toMatchObject({ quota: 1 })
  expect(await storage.ledger.faults()).toEqual([])
  await storage.close()
})
