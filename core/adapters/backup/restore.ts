// Restores a backup where no data exists: unpacked next to the target, verified, and moved into place as the last step.
import { existsSync } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { BackupManifest } from '../../backups/manifest.ts'
import { formatDatabasePlace, type Config } from '../../config.ts'
import { fail } from '../../errors.ts'
import type { Logger } from '../../ports/logger.ts'
import { parseDatabasePlace, withOpenDatabase, type DatabaseCopy } from '../copy-database.ts'
import { DATABASE_FILE_NAME } from '../knex/connection/connection.ts'
import { lockDataFolder } from '../knex/schema/installation.ts'
import { prepareDataFolder, readStoredSecrets, storeMasterKey } from '../secret-files.ts'
import { StartError, toDiskFullError } from '../start-error.ts'
import { LOG_FILE_NAME } from '../log-homes/open.ts'
import type { DatabaseLocation } from '../knex/schema/open.ts'
import { finishTransfer, transferDatabase, type RowCounts, type TransferProgress } from '../knex/transfer/transfer.ts'
import { createLogger } from '../pino.ts'
import { flushFolderNames } from '../private-file.ts'
import { verifyUnpacked } from './prove.ts'
import { unpackBackup } from './read.ts'
import type { BackupCredentials } from './sealing.ts'

export interface RestoredBackup extends DatabaseCopy {
  /** From the manifest of the backup. */
  backup: Pick<BackupManifest, 'version' | 'made_at'>
}

type TellRestore = (step: 'read' | TransferProgress['step'], what: string, done: number, total: number) => void

const ROOM = 'restoring'

/**
 * Restores into the data folder, or the PostgreSQL database, that the configuration names. An interrupted restore
 * leaves data that no process serves, and running it again completes it.
 * @throws GatewayError or StartError for the operator; nothing was overwritten then
 */
export async function restoreBackup(
  config: Config,
  file: string,
  opener: BackupCredentials,
  onProgress: TellRestore = () => undefined,
): Promise<RestoredBackup> {
  const folder = resolve(config.data)
  const place = parseDatabasePlace(config.database ?? folder, createSilentLogger())
  await refuseTaken(folder, config.database)
  return runAlone(folder, async () => {
    const room = join(folder, ROOM)
    try {
      await rm(room, { recursive: true, force: true })
      await mkdir(room, { mode: 0o700 })
      const { manifest, key } = await unpackBackup(file, room, opener, (done, total) =>
        onProgress('read', file, done, total),
      )
      const candidates = [...(key === null ? [] : [key]), ...(await secretsHere(config, folder))]
      const logger = createSilentLogger()
      const { secret, ledger } = await verifyUnpacked({ folder: room, manifest, candidates, logger }, { forward: true })
      if (secret === null || ledger === null) return fail('backup.no_key')
      // A secret from the environment is not written to disk.
      const key_file = config.secret === secret ? null : await storeMasterKey(folder, secret)
      const backup = { version: manifest.version, made_at: manifest.made_at }
      const tables = config.database ? await copyInto(place, room, onProgress) : manifest.tables
      if (!config.database) await putInPlace(room, folder)
      await rm(room, { recursive: true, force: true })
      return {
        kind: config.database ? 'postgres' : 'sqlite',
        place: formatDatabasePlace(place),
        key_file,
        tables,
        ledger,
        backup,
      }
    } catch (error) {
      await rm(room, { recursive: true, force: true })
      throw toDiskFullError(error, folder)
    }
  })
}

/** Copies into a PostgreSQL database, from the folder in which the backup was verified. */
const copyInto = (place: DatabaseLocation, folder: string, onProgress: TellRestore): Promise<RowCounts> =>
  withOpenDatabase({ folder, logger: createSilentLogger() }, (from) =>
    withOpenDatabase(place, async (to) => {
      try {
        const tables = await transferDatabase(from, to, ({ table, step, done, total }) =>
          onProgress(step, table, done, total),
        )
        await finishTransfer(to)
        return tables
      } catch (error) {
        throw toDiskFullError(error, formatDatabasePlace(place))
      }
    }),
  )

async function refuseTaken(folder: string, database: string | undefined): Promise<void> {
  if (database !== undefined) return
  const found = await stat(join(folder, DATABASE_FILE_NAME)).catch(() => null)
  if (found !== null) fail('restore.not_empty', { place: folder })
}

/** Runs work with exclusive use of the folder. */
async function runAlone<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await prepareDataFolder(folder)
  const lock = await lockDataFolder(folder, createSilentLogger())
  if (!lock)
    throw new StartError(
      `The data folder ${folder} is in use by another running Weir: stop that one.`,
      undefined,
      'owned',
    )
  return work().finally(() => lock.release())
}

/** Returns candidates for the secret of a backup that does not include it. */
const secretsHere = async (config: Config, folder: string): Promise<string[]> =>
  config.secret ? [config.secret] : readStoredSecrets(folder)

/** The database is moved last: until then a start finds none. */
async function putInPlace(room: string, folder: string): Promise<void> {
  const made = await open(join(room, DATABASE_FILE_NAME), 'r+')
  await made.sync().finally(() => made.close())
  // Files of an earlier database would be taken for parts of this one.
  for (const suffix of ['-wal', '-shm', '-journal'])
    await rm(join(folder, DATABASE_FILE_NAME + suffix), { force: true })
  if (existsSync(join(folder, DATABASE_FILE_NAME))) fail('restore.not_empty', { place: folder })
  // Its rows up to the backup are in the backup. The restored database must not contain later ones.
  const oldName = `${LOG_FILE_NAME}.${Date.now()}`
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(join(folder, LOG_FILE_NAME + suffix)))
      await rename(join(folder, LOG_FILE_NAME + suffix), join(folder, oldName + suffix))
  await rename(join(room, DATABASE_FILE_NAME), join(folder, DATABASE_FILE_NAME))
  await flushFolderNames(folder)
}

const createSilentLogger = (): Logger => createLogger({ level: 'silent', format: 'json' })
