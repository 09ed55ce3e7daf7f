// Opens the stores on a database: SQLite in a data folder, or PostgreSQL shared by several processes.
import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Knex } from 'knex'
import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Storage } from '../../ports/storage.ts'
import { createBackupStore } from '../backup/make.ts'
import { refuseEmpty, refuseMissing } from '../copy-database.ts'
import { createCounter } from '../rate-counter.ts'
import { createWarningStore } from './alerts.ts'
import { wrapDriverErrors } from './connection/availability.ts'
import { createChannelHourStore, createChannelTestStore } from './channel-health.ts'
import { encryptChannelSettings } from './channels.ts'
import { createBrowserStore, createVerificationStore } from './accounts/credentials.ts'
import { bindEncryptedValues, checkMasterSecret, createSetupStore } from './schema/installation.ts'
import { createReceiptKeyStore, loadChainKeys } from './secrets/signing-keys.ts'
import { backfillNameKeys, createIdentityStore } from './accounts/users.ts'
import { openLocalChanges, openSharedChanges, type ChangeNotifier } from './changes.ts'
import { createAuditStore } from './audit.ts'
import { createChangeStores, createStoresWithin } from './change-stores.ts'
import { withLongTimeouts, type Database } from './connection/database.ts'
import { createEntryStore } from './ledger/ledger-entries.ts'
import { moveKeyDigests } from './secrets/key-digests.ts'
import { createLedgerStore } from './ledger/ledger.ts'
import { createLogPlaces } from './logs/log-places.ts'
import { createLogStore } from './logs/logs.ts'
import { migrateDatabase } from './schema/migrate.ts'
import { openDatabase, type DatabaseLocation } from './schema/open.ts'
import { createRefusalStore } from './logs/refusals.ts'
import { createSearchStore } from './search.ts'
import { createUsageStore } from './logs/usage.ts'

export interface StorageOptions extends DatabaseLocation {
  /** If true, an empty database is refused, because data existed before. */
  known?: boolean
  /** If true, Weir may create its tables next to those of another program. */
  concurrently?: boolean
  /** Folder for large temporary files; undefined uses the system's folder. */
  scratch?: string
  secrets: Secrets
  clock: Clock
}

/**
 * Opens the database, migrates it to this version's schema and checks the master secret.
 * @throws StartError with one sentence for the operator if any of that fails
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { database: url, known } = options
  if (known) await refuseMissing(options)
  const database = await openDatabase(options)
  return build(database, options, () =>
    url ? openSharedChanges(url, database, options) : openLocalChanges(database, options),
  )
}

async function build(
  database: Database,
  { secrets, clock, logger, known, concurrently, scratch = tmpdir() }: StorageOptions,
  openChanges: () => Promise<ChangeNotifier>,
): Promise<Storage> {
  try {
    const starting = withLongTimeouts(database)
    if (known) await refuseEmpty(starting)
    await migrateDatabase(starting, { concurrently })
    await bindEncryptedValues(starting, secrets, logger)
    await checkMasterSecret(starting, secrets)
    await encryptChannelSettings(starting, secrets)
    await moveKeyDigests(starting, secrets)
    const chain = await loadChainKeys(starting.write, secrets)
    await backfillNameKeys(starting)
    // Up to here the operator gets the exact error. From here on callers get a generic error and may retry.
    for (const pool of [database.write, database.read, starting.write]) wrapDriverErrors(pool)
    const changes = await openChanges()
    const within = createStoresWithin(database, secrets, clock)
    const logs = createLogStore(database, { clock, logger })
    return {
      kind: database.kind,
      ...createChangeStores(database, secrets, clock),
      identities: createIdentityStore(database),
      browsers: createBrowserStore(database),
      verifications: createVerificationStore(database, secrets),
      counter: createCounter(database),
      channelHours: createChannelHourStore(database),
      channelTests: createChannelTestStore(database),
      logs,
      databaseLogs: logs,
      logPlaces: createLogPlaces(database),
      refusals: createRefusalStore(database),
      usage: createUsageStore(database),
      warnings: createWarningStore(database),
      ledger: createLedgerStore(database, clock, within),
      entries: createEntryStore(database),
      chain,
      receiptKey: createReceiptKeyStore(database, secrets),
      audit: createAuditStore(database),
      search: createSearchStore(database, secrets),
      setup: createSetupStore(database),
      backups: createBackupStore({ database: starting, secrets, clock, logger, scratch }),
      transaction: (work) => database.write.transaction((transaction) => work(within(transaction))),
      announce: changes.announce,
      onChange: changes.onChange,
      pools: () => [getPoolState('write', database.write), getPoolState('read', database.read)],
      fileSizes: () => (database.file === undefined ? {} : getFileSizes(database.file)),
      confirmSecret: () => checkMasterSecret(database, secrets),
      async close() {
        await changes.close()
        await database.close()
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

type Pool = { numUsed(): number; numFree(): number; numPendingAcquires(): number }

function getPoolState(pool: 'write' | 'read', { client }: Knex) {
  const at = client.pool as Pool
  return { pool, used: at.numUsed(), free: at.numFree(), waiting: at.numPendingAcquires() }
}

const getFileSizes = (file: string) => ({ database: getFileSize(file), wal: getFileSize(`${file}-wal`) })
const getFileSize = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
