// Checks that the master secret is the one this database was created with, and that every value is encrypted for its
// place.
import { join } from 'node:path'
import sqlite3 from 'sqlite3'
import type { Logger } from '../../../ports/logger.ts'
import type { StoredSecretColumn, EncryptedPlace, Secrets } from '../../../ports/secrets.ts'
import { createChainKeys } from '../../../quota/chain.ts'
import type { SiteSetup, SetupStore } from '../../../site/store.ts'
import { createPrivateFile, restrictToOwner } from '../../private-file.ts'
import { StartError } from '../../start-error.ts'
import { getErrorReason, DATABASE_TIME_MS } from '../connection/connection.ts'
import type { Database } from '../connection/database.ts'
import { listAppliedSteps } from './migrate.ts'
import { lockOutProcesses, reencryptColumn, encryptedColumns } from '../secrets/secret-rotation.ts'
import { createKeyRecord, encryptChainKeys } from '../secrets/signing-keys.ts'
import { selectTableRows } from '../sql/table.ts'

const KNOWN_TEXT = 'weir'
const CHECK: EncryptedPlace = ['installation.secret_check', 1]

/**
 * Stores the check value of the secret in a new database, or verifies the existing one.
 * @throws StartError if the secret is different
 */
export async function checkMasterSecret({ write }: Database, secrets: Secrets): Promise<void> {
  const chain_keys_sealed = encryptChainKeys(createChainKeys(secrets), secrets)
  const row = { id: 1, secret_check: secrets.encrypt(KNOWN_TEXT, CHECK), chain_keys_sealed }
  await write('installation').insert(row).onConflict('id').ignore()
  if (!matchesMasterSecret(secrets, await loadSecretCheck(write))) {
    throw new StartError(
      'The master secret does not fit this database: start with the secret (or the key file) that the database was made with.',
      undefined,
      'secret',
    )
  }
}

/** True if this check value was made with this secret. */
export const matchesMasterSecret = (secrets: Secrets, sealed: string): boolean =>
  canOpen(() => secrets.decrypt(sealed, CHECK))

/** The same for a check value of the first releases, which is not bound to its place. */
const opensUnbound = (secrets: Secrets, sealed: string): boolean => canOpen(() => secrets.decryptUnbound(sealed))

function canOpen(open: () => string): boolean {
  try {
    return open() === KNOWN_TEXT
  } catch {
    return false
  }
}

/** Returns the check value: the known text, encrypted with the database's secret. Empty before there is one. */
export const loadSecretCheck = async (from: Database['write']): Promise<string> =>
  (await from<{ id: number; secret_check: string }>('installation').where({ id: 1 }).first('secret_check'))
    ?.secret_check ?? ''

/**
 * Re-encrypts the values of the first releases, each for its place, and gives the ledger its first key. Runs once, in
 * one transaction; the form of the check value records that it is done. After that, unbound values and entries without
 * a key are rejected.
 * @throws StartError if another process, possibly an older one, runs on the database
 */
export async function bindEncryptedValues({ kind, write }: Database, secrets: Secrets, logger: Logger): Promise<void> {
  if (!opensUnbound(secrets, await loadSecretCheck(write))) return
  const count = await write.transaction(async (transaction) => {
    if (kind === 'postgres') await lockOutProcesses(transaction)
    // Another process may have done it by now.
    if (!opensUnbound(secrets, await loadSecretCheck(transaction))) return 0
    const reportUnreadable = ([column, row]: EncryptedPlace) =>
      logger.warn('a sealed value cannot be opened', { column, row })
    const how = { open: secrets.decryptUnbound, seal: secrets.encrypt, unreadable: reportUnreadable }
    let sum = 0
    for (const column of Object.keys(encryptedColumns) as StoredSecretColumn[])
      sum += await reencryptColumn(transaction, column, how)
    await createKeyRecord(transaction, secrets)
    return sum
  })
  if (count > 0) logger.info('what is encrypted was sealed anew, bound to its place', { values: count })
}

// The row that records the completed setup of Weir.

/** SQLite has one owner. */
const ABOUT = {
  sqlite: `select sqlite_version() as version, 1 as processes,
    (select page_count * page_size from pragma_page_count(), pragma_page_size()) as bytes`,
  postgres: `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
    (select count(*) from leases where expires > ${DATABASE_TIME_MS.postgres}) as processes`,
}

export function createSetupStore({ kind, write, read }: Database): SetupStore {
  return {
    async find() {
      return (await read<SiteSetup>('setups').select('version', 'initialized_at').first()) ?? null
    },
    async insert({ version, initialized_at }) {
      const rows = await write('setups')
        .insert({ id: 1, version, initialized_at })
        .onConflict('id')
        .ignore()
        .returning('id')
      return rows.length > 0
    },
    async database() {
      const [[about], steps] = await Promise.all([selectTableRows(read, ABOUT[kind], []), listAppliedSteps(read)])
      const { version, bytes, processes } = about ?? {}
      return {
        version: String(version),
        bytes: Number(bytes),
        processes: Number(processes),
        schema: steps.at(-1) ?? '',
      }
    },
  }
}

// One owner per data folder. The owner holds an exclusive lock on a small separate file for life; the system releases
// it when the process ends for any reason.

export interface FolderLock {
  release(): Promise<void>
}

const LOCK_FILE = 'weir.lock'

/**
 * Locks the data folder for this process. Returns null if another one (or another part of this one) has it.
 * @throws StartError if the folder cannot be written
 */
export async function lockDataFolder(folder: string, logger: Logger): Promise<FolderLock | null> {
  const file = join(folder, LOCK_FILE)
  await createPrivateFile(file)
  for (const each of [file, `${file}-journal`]) await restrictToOwner(each, logger)
  const database = await open(file).catch((error: unknown) => {
    throw new StartError(
      `The data folder ${folder} cannot be written (${getErrorReason(error)}): make it writable for this user or choose another one.`,
      error,
    )
  })
  const close = () => new Promise<void>((resolve) => database.close(() => resolve()))
  try {
    await new Promise<void>((resolve, reject) => {
      database.run('begin exclusive', (error) => (error ? reject(error) : resolve()))
    })
    return { release: close }
  } catch (error) {
    await close()
    if (getErrorReason(error) === 'SQLITE_BUSY') return null
    throw new StartError(
      `The data folder ${folder} cannot be locked (${getErrorReason(error)}): make it writable for this user or choose another one.`,
      error,
    )
  }
}

const open = (file: string) =>
  new Promise<sqlite3.Database>((resolve, reject) => {
    const database = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(database)))
  })
