// Storage on a real database: sqlite in a data folder, or PostgreSQL shared by several processes.
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { Storage } from '../../ports/storage.ts'
import { StartError } from '../start-error.ts'
import { localChanges, sharedChanges, type Changes } from './changes.ts'
import { createAuditStore } from './audit.ts'
import { createChannelStore } from './channels.ts'
import { connectPostgres, connectSqlite, prepareFolder, type Database } from './connect.ts'
import { createIdentityStore } from './identities.ts'
import { checkSecret } from './installation.ts'
import { createCounter } from './counter.ts'
import { createKeptResponseStore } from './kept-responses.ts'
import { createEntryStore } from './ledger-entries.ts'
import { createLedgerStore } from './ledger.ts'
import { acquireLock } from './lock.ts'
import { createProviderStore } from './login-providers.ts'
import { createLogStore } from './logs.ts'
import { migrate } from './migrate.ts'
import { createPasskeyStore } from './passkeys.ts'
import { createReceiptKeyStore } from './receipt-key.ts'
import { createSecondFactorStore } from './second-factors.ts'
import { createSessionStore } from './sessions.ts'
import { createRedemptionStore } from './redemptions.ts'
import { createSettingsStore } from './settings.ts'
import { createSetupStore } from './setup.ts'
import { createTaskStore } from './tasks.ts'
import { createTokenStore } from './tokens.ts'
import { createTopUpStore } from './topups.ts'
import { createUsageStore } from './usage.ts'
import { createUserStore } from './users.ts'
import { createWarningStore } from './warnings.ts'
import { createVerificationStore } from './verifications.ts'

export interface StorageOptions {
  /** A `postgres://` URL; without it sqlite in `folder`. */
  database?: string
  /** The data folder of sqlite, owned by one process at a time. */
  folder?: string
  /** sqlite that vanishes at close, for tests and trials. */
  memory?: boolean
  secrets: Secrets
  clock: Clock
  logger: Logger
}

/**
 * Opens the database, brings it to this version's schema and checks the master secret.
 * @throws StartError with one sentence for the operator when any of that is not possible
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { database: url, folder, memory, logger } = options
  if (url) {
    return build(await connectPostgres(url, logger), options, (database) => sharedChanges(url, database, logger))
  }
  if (memory) return build(await connectSqlite(null, logger), options, localChanges)
  if (!folder) throw new StartError('There is nowhere to keep data: give a data folder or a database URL.')
  await prepareFolder(folder)
  const lock = await acquireLock(folder)
  if (!lock) {
    throw new StartError(
      `The data folder ${folder} is in use by another running Weir: stop that one, or choose another data folder.`,
      undefined,
      'owned',
    )
  }
  try {
    const storage = await build(await connectSqlite(folder, logger), options, localChanges)
    return {
      ...storage,
      async close() {
        await storage.close()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function build(
  database: Database,
  { secrets, clock }: StorageOptions,
  openChanges: (database: Database) => Changes | Promise<Changes>,
): Promise<Storage> {
  try {
    await migrate(database)
    await checkSecret(database, secrets)
    const changes = await openChanges(database)
    return {
      kind: database.kind,
      users: createUserStore(database),
      identities: createIdentityStore(database),
      sessions: createSessionStore(database),
      passkeys: createPasskeyStore(database),
      providers: createProviderStore(database, secrets),
      secondFactors: createSecondFactorStore(database, secrets),
      verifications: createVerificationStore(database, secrets),
      counter: createCounter(database),
      tokens: createTokenStore(database, secrets, clock),
      channels: createChannelStore(database, secrets),
      logs: createLogStore(database),
      usage: createUsageStore(database),
      warnings: createWarningStore(database),
      ledger: createLedgerStore(database, clock),
      entries: createEntryStore(database),
      keptResponses: createKeptResponseStore(database),
      receiptKey: createReceiptKeyStore(database, secrets),
      redemptions: createRedemptionStore(database, secrets),
      topups: createTopUpStore(database),
      tasks: createTaskStore(database),
      settings: createSettingsStore(database, secrets),
      audit: createAuditStore(database),
      setup: createSetupStore(database),
      announce: changes.announce,
      onChange: changes.onChange,
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
