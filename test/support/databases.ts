// Runs one suite on every kind of database that Weir supports.
import { afterEach, describe } from 'vitest'
import { createSecrets } from '../../core/adapters/crypto.ts'
import { openStorage, type StorageOptions } from '../../core/adapters/knex/index.ts'
import { createSystemClock } from '../../core/adapters/platform.ts'
import type { Logger } from '../../core/ports/logger.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { giveDatabaseBack, takeDatabase } from './clean-database.ts'
import { listDatabaseKinds } from './database-kinds.ts'
import { migratedImage } from './sqlite.ts'

export const silent: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined }
export const testSecrets = createSecrets('a secret for tests')

type Open = (options?: Partial<StorageOptions>) => Promise<Storage>

/**
 * `open` gives an empty storage; what a test opened is closed after it. On sqlite it is new each time, on PostgreSQL
 * each test has a database, which all its storages share. Both are copies: making the tables is its own test's work. On
 * PostgreSQL a test may have the copy of one before it, emptied.
 */
export function describeWithStorage(name: string, suite: (open: Open, kind: Storage['kind']) => void): void {
  describe(`${name} on sqlite`, () => {
    const { opened, closeAll } = tracked()
    afterEach(closeAll)
    suite(
      async (options) => opened(await openStorage({ memory: await migratedImage(), ...ports(), ...options })),
      'sqlite',
    )
  })
  if (listDatabaseKinds().includes('postgres'))
    describeOnPostgres(`${name} on postgres`, (open) => suite(open, 'postgres'))
}

/** What only several processes on one database have. */
export function describeOnPostgres(name: string, suite: (open: Open) => void): void {
  describe(name, () => {
    const { opened, closeAll } = tracked()
    let database: Promise<string> | undefined
    afterEach(async () => {
      await closeAll()
      if (database) await giveDatabaseBack(await database)
      database = undefined
    })
    suite(async (options) =>
      opened(await openStorage({ database: await (database ??= takeDatabase()), ...ports(), ...options })),
    )
  })
}

export const ports = () => ({ secrets: testSecrets, clock: createSystemClock(), logger: silent })

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
