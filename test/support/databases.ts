// Runs one suite on every kind of database that Weir supports.
import { afterEach, beforeAll, describe } from 'vitest'
import { createSecrets } from '../../core/adapters/crypto.ts'
import { openStorage, type StorageOptions } from '../../core/adapters/knex/index.ts'
import { createClock } from '../../core/adapters/system-clock.ts'
import type { Logger } from '../../core/ports/logger.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { emptyDatabase, freshDatabase } from './postgres.ts'

export const silent: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined }
export const testSecrets = createSecrets('a secret for tests')

type Open = (options?: Partial<StorageOptions>) => Promise<Storage>

/**
 * `open` gives an empty storage; what a test opened is closed after it. On sqlite it is new each time, on PostgreSQL
 * the suite has one database, emptied before each test's first `open`, which later ones in that test share.
 */
export function describeBothDatabases(name: string, suite: (open: Open, kind: Storage['kind']) => void): void {
  describe(`${name} on sqlite`, () => {
    const { opened, closeAll } = tracked()
    afterEach(closeAll)
    suite(async (options) => opened(await openStorage({ memory: true, ...ports(), ...options })), 'sqlite')
  })
  describe(`${name} on postgres`, () => {
    const { opened, closeAll } = tracked()
    let url = ''
    let emptied = false
    beforeAll(async () => {
      url = await freshDatabase()
    })
    afterEach(async () => {
      await closeAll()
      emptied = false
    })
    suite(async (options) => {
      if (!emptied) await emptyDatabase(url)
      emptied = true
      return opened(await openStorage({ database: url, ...ports(), ...options }))
    }, 'postgres')
  })
}

export const ports = () => ({ secrets: testSecrets, clock: createClock(), logger: silent })

function tracked() {
  const storages: Storage[] = []
  return {
    opened(storage: Storage) {
      storages.push(storage)
      return storage
    },
    async closeAll() {
      for (const storage of storages.splice(0)) await storage.close()
    },
  }
}
