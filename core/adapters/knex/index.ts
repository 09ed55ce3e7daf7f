// Storage on a real database: sqlite in a data folder, or PostgreSQL shared by several processes.
import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Storage } from '../../ports/storage.ts'
import { localChanges, sharedChanges, type ChangeNews } from './changes.ts'
import { createAuditStore } from './audit.ts'
import { createChannelHourStore } from './channel-hours.ts'
import { sealSettings } from './channel-setting.ts'
import { createChannelTestStore } from './channel-tests.ts'
import { createBrowserStore } from './browsers.ts'
import { changeStores, storesWithin } from './change-stores.ts'
import { openChain } from './chain-keys.ts'
import type { Database } from './database.ts'
import { createIdentityStore } from './identities.ts'
import { bindSealed, checkSecret } from './installation.ts'
import { createCounter } from './counter.ts'
import { createEntryStore } from './ledger-entries.ts'
import { createGroupUseStore } from './group-uses.ts'
import { createLedgerStore } from './ledger.ts'
import { createLogStore } from './logs.ts'
import { refuseEmpty, refuseMissing } from '../known-database.ts'
import { migrate } from './migrate.ts'
import { openDatabase, type DatabasePlace } from './open.ts'
import { createReceiptKeyStore } from './receipt-key.ts'
import { createSearchStore } from './search.ts'
import { createSettingsStore } from './settings.ts'
import { createSetupStore } from './setup.ts'
import { createTopUpStore } from './topups.ts'
import { createUsageStore } from './usage.ts'
import { fillLooks } from './users.ts'
import { createWarningStore } from './warnings.ts'
import { createVerificationStore } from './verifications.ts'

export interface StorageOptions extends DatabasePlace {
  /** An empty database is refused: there has been another. */
  known?: boolean
  secrets: Secrets
  clock: Clock
}

/**
 * Opens the database, brings it to this version's schema and checks the master secret.
 * @throws StartError with one sentence for the operator when any of that is not possible
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { database: url, known } = options
  if (known) await refuseMissing(options)
  const database = await openDatabase(options)
  return build(database, options, () => (url ? sharedChanges(url, database, options) : localChanges(database, options)))
}

async function build(
  database: Database,
  { secrets, clock, logger, known }: StorageOptions,
  openChanges: () => Promise<ChangeNews>,
): Promise<Storage> {
  try {
    if (known) await refuseEmpty(database)
    await migrate(database)
    await bindSealed(database, secrets, logger)
    await checkSecret(database, secrets)
    await sealSettings(database, secrets)
    const chain = await openChain(database.write, secrets)
    await fillLooks(database)
    const changes = await openChanges()
    const within = storesWithin(database, secrets, clock)
    return {
      kind: database.kind,
      ...changeStores(database, secrets, clock),
      identities: createIdentityStore(database),
      browsers: createBrowserStore(database),
      verifications: createVerificationStore(database, secrets),
      counter: createCounter(database),
      channelHours: createChannelHourStore(database),
      channelTests: createChannelTestStore(database),
      logs: createLogStore(database),
      usage: createUsageStore(database),
      groupUses: createGroupUseStore(database),
      warnings: createWarningStore(database),
      ledger: createLedgerStore(database, clock, within),
      entries: createEntryStore(database),
      chain,
      receiptKey: createReceiptKeyStore(database, secrets),
      topups: createTopUpStore(database),
      settings: createSettingsStore(database, secrets),
      audit: createAuditStore(database),
      search: createSearchStore(database, secrets),
      setup: createSetupStore(database),
      transaction: (work) => database.write.transaction((transaction) => work(within(transaction))),
      announce: changes.announce,
      onChange: changes.onChange,
      confirmSecret: () => checkSecret(database, secrets),
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
