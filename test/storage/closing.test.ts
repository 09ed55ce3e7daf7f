// A database that closes delays no caller, and so no process that wants to end.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openStorage } from '../../core/adapters/knex/index.ts'
import { ports } from '../support/databases.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

describe.each(listDatabaseKinds())('a database that closes, on %s,', (kind) => {
  it('answers or refuses at once whoever asks meanwhile', { timeout: 120_000 }, async () => {
    const place = kind === 'sqlite' ? { memory: true as const } : { database: await migratedDatabase() }
    for (const ms of [0, 1, 2, 3, 5, 20]) {
      const storage = await openStorage({ ...place, ...ports() })
      const closing = storage.close()
      await sleep(ms)
      const asked = await Promise.allSettled([
        storage.users.find(1),
        storage.channels.all(),
        storage.settings.all(),
        storage.sessions.deleteExpired(1),
      ])
      // A pool that ends would let them wait for as long as one may wait for a connection.
      for (const each of asked) expect(String(Reflect.get(each, 'reason')), `${ms} ms`).not.toContain('Timeout')
      await closing
      await expect(storage.users.find(1), `${ms} ms`).rejects.toThrow('closed')
    }
  })
})
