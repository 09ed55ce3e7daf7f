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
import { DATABASE_FILE_NAME } from '../knex/connection/connection.ts'
import type { Database } from '../knex/connection/database.ts'
import { verifyLedger } from '../knex/ledger/ledger-entries.ts'
import { listAppliedSteps } from '../knex/schema/migrate.ts'
import { countTableRows, createSnapshot } from '../knex/transfer/snapshot-file.ts'
import { copyFiledRows } from '../log-homes/file-into-copy.ts'
import { prepareDataFolder } from '../secret-files.ts'
import { toDiskFullError } from '../start-error.ts'
import { type NewArchiveEntry, writeArchive, writeArchiveStart } from './archive.ts'

/** Returns the size and the SHA-256 of a file. */
export async function hashFile(file: string): Promise<{ bytes: number; sha256: string }> {
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
