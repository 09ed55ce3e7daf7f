// Makes backups of an open database: copies it to a temporary folder, and sends the copy as a compressed archive.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createGzip, gzipSync } from 'node:zlib'
import { BACKUP_FORMAT_VERSION, type BackupManifest } from '../../backups/manifest.ts'
import type { BackupStore } from '../../backups/store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Logger } from '../../ports/logger.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { DATABASE_FILE_NAME, connectSqlite } from '../knex/connection/connection.ts'
import type { Database } from '../knex/connection/database.ts'
import { verifyLedger } from '../knex/ledger/ledger-entries.ts'
import { listAppliedSteps } from '../knex/schema/migrate.ts'
import { copyFiledRows } from '../log-homes/file-into-copy.ts'
import { prepareDataFolder } from '../secret-files.ts'
import { toDiskFullError } from '../start-error.ts'
import { type NewArchiveEntry, writeArchive, writeArchiveStart } from './archive.ts'
import sqlite3 from 'sqlite3'
import { MIGRATION_HISTORY_TABLES, listTableNames } from '../knex/schema/table-shapes.ts'
import type { RowCounts } from '../knex/transfer/transfer.ts'
import { finishTransfer, SKIPPED_TABLES, countRowsInTable, transferDatabase } from '../knex/transfer/transfer.ts'

// Copies a whole database to an SQLite file in a separate folder, while others keep using the database.

/** Creates the file and returns it open. Open calls of the original are not in it. */
async function createSnapshot(folder: string, database: Database, logger: Logger): Promise<Database> {
  if (database.file === undefined) {
    const copy = await connectSqlite(folder, logger)
    try {
      // No durability needed: the file is unknown to others until it is complete.
      await copy.write.raw('pragma synchronous = off')
      await transferDatabase(database, copy)
      await finishTransfer(copy)
      return copy
    } catch (error) {
      await copy.close()
      throw error
    }
  }
  await vacuumInto(database.file, join(folder, DATABASE_FILE_NAME))
  const copy = await connectSqlite(folder, logger)
  for (const table of Object.keys(SKIPPED_TABLES)) await copy.write(table).delete()
  return copy
}

/** Uses a separate connection: SQLite reads a snapshot, and no writer waits for it. */
async function vacuumInto(from: string, to: string): Promise<void> {
  const source = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(from, (error) => (error ? reject(error) : resolve(opened)))
  })
  try {
    await new Promise<void>((resolve, reject) => {
      source.run('vacuum into ?', [to], (error) => (error ? reject(error) : resolve()))
    })
  } finally {
    await new Promise<void>((resolve) => source.close(() => resolve()))
  }
}

/** Returns the number of rows of each copied table. */
export async function countTableRows({ kind, read }: Database): Promise<RowCounts> {
  const names = (await listTableNames({ kind }, read)).filter(
    (name) => !MIGRATION_HISTORY_TABLES.includes(name) && !(name in SKIPPED_TABLES),
  )
  const counts: RowCounts = {}
  for (const name of names) counts[name] = await countRowsInTable(read, name)
  return counts
}

/** Returns the size and the SHA-256 of a file. */
async function hashFile(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of createReadStream(file)) {
    hash.update(piece as Buffer)
    bytes += (piece as Buffer).length
  }
  return { bytes, sha256: hash.digest('hex') }
}

export const MANIFEST_ENTRY_NAME = 'manifest.json'
export const KEY_ENTRY_NAME = 'weir.key'

const PREFIX = 'backup-'
/** A copy that has not grown for this long, in ms, was left by a process that is gone. */
const LEFT_MS = 3_600_000
/** Rows are texts that compress well; a higher level would cost much time for little gain. */
const LEVEL = 1

interface BackupPorts {
  database: Database
  secrets: Secrets
  clock: Clock
  logger: Logger
  /** Folder for the temporary copy: the data folder, next to the log files. */
  scratch: string
}

export const createBackupStore = ({ database, secrets, clock, logger, scratch }: BackupPorts): BackupStore => ({
  async make({ version, made_at, prove }) {
    await prepareDataFolder(scratch)
    await sweep(scratch)
    const folder = await mkdtemp(join(scratch, PREFIX))
    const removeFolder = () => rm(folder, { recursive: true, force: true })
    try {
      const copy = await createSnapshot(folder, database, logger)
      const described = { format: BACKUP_FORMAT_VERSION, version, made_at, source: database.kind }
      let read: Pick<BackupManifest, 'steps' | 'tables' | 'ledger'>
      try {
        await copyFiledRows(copy, { folder: scratch, clock, logger })
        const ledger = prove ? await verifyLedger(copy, secrets) : null
        read = { steps: await listAppliedSteps(copy.read), tables: await countTableRows(copy), ledger }
      } finally {
        await copy.close()
      }
      const file = join(folder, DATABASE_FILE_NAME)
      const manifest = { ...described, ...read, ...(await hashFile(file)) }
      return { pieces: compressArchive(writeBackupArchive(manifest, file), removeFolder) }
    } catch (error) {
      await removeFolder()
      throw toDiskFullError(error, scratch)
    }
  },
})

/** The file is not opened before the first byte is read. */
async function* writeBackupArchive(manifest: BackupManifest, file: string): AsyncGenerator<Uint8Array> {
  const { bytes: size, made_at: seconds } = manifest
  yield* writeArchive([
    textEntry(MANIFEST_ENTRY_NAME, `${JSON.stringify(manifest, null, 2)}\n`, seconds),
    { name: DATABASE_FILE_NAME, size, seconds, pieces: createReadStream(file) },
  ])
}

/** Returns the master secret as the first part of an archive, to precede the others. */
export async function* writeKeyEntry(secret: string, made_at: number): AsyncGenerator<Uint8Array> {
  yield gzipSync(await writeArchiveStart([textEntry(KEY_ENTRY_NAME, `${secret}\n`, made_at)]), { level: LEVEL })
}

function textEntry(name: string, text: string, seconds: number): NewArchiveEntry {
  const bytes = Buffer.from(text)
  return { name, size: bytes.length, seconds, pieces: Readable.from([bytes]) }
}

/**
 * Compresses the bytes. The copy is removed once they are read, or if the reader aborts, even before the first byte.
 */
function compressArchive(
  bytes: AsyncIterable<Uint8Array>,
  removeFolder: () => Promise<void>,
): AsyncIterable<Uint8Array> {
  const source = Readable.from(bytes, { objectMode: false })
  const zipped = createGzip({ level: LEVEL })
  source.on('error', (error) => zipped.destroy(error))
  const end = async () => {
    source.destroy()
    zipped.destroy()
    await removeFolder()
  }
  async function* readPieces(): AsyncGenerator<Uint8Array, undefined> {
    try {
      for await (const piece of source.pipe(zipped)) yield piece as Uint8Array
    } finally {
      await end()
    }
  }
  const read = readPieces()
  const iterator: AsyncIterator<Uint8Array> = {
    next: () => read.next(),
    async return() {
      await end()
      return read.return(undefined)
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

async function sweep(scratch: string): Promise<void> {
  for (const name of (await readdir(scratch)).filter((each) => each.startsWith(PREFIX))) {
    const folder = join(scratch, name)
    const times = [folder, join(folder, DATABASE_FILE_NAME), join(folder, `${DATABASE_FILE_NAME}-wal`)].map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    )
    if (Math.max(...(await Promise.all(times))) < Date.now() - LEFT_MS)
      await rm(folder, { recursive: true, force: true })
  }
}
