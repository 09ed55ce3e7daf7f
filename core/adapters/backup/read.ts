// Reads a backup: its manifest, its key if it has one, and its database, which is written into a folder and verified by
// checksums.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { migrations } from '../../../migrations/index.ts'
import { BACKUP_FORMAT_VERSION, BackupManifest } from '../../backups/manifest.ts'
import { fail, GatewayError } from '../../errors.ts'
import { DATABASE_FILE_NAME } from '../knex/connection/connection.ts'
import { PRIVATE_FILE_MODE } from '../private-file.ts'
import { readArchive } from './archive.ts'
import { KEY_ENTRY_NAME, MANIFEST_ENTRY_NAME } from './make.ts'
import { AGE_MAGIC, decryptBackup, type BackupCredentials } from './sealing.ts'

/** The parts of a backup. */
export interface ReadBackup {
  manifest: BackupManifest
  /** The master secret; null if the backup does not include it. */
  key: string | null
}

/** Receives the number of bytes read, and the size of the file. */
export type ByteProgress = (done: number, total: number) => void

/** True if a file begins like an encrypted one. */
export async function isEncryptedFile(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(AGE_MAGIC.length), 0, AGE_MAGIC.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === AGE_MAGIC
  } finally {
    await handle.close()
  }
}

/**
 * Writes the database of a backup into a folder, and checks that it matches the manifest.
 * @throws GatewayError backup.damaged, backup.locked, backup.newer
 */
export async function unpackBackup(
  file: string,
  folder: string,
  opener: BackupCredentials,
  onProgress: ByteProgress,
): Promise<ReadBackup> {
  const { size } = await stat(file)
  let manifest: BackupManifest | undefined
  let key: string | null = null
  let sum = ''
  let ended = false
  const bytes = countBytes(createReadStream(file, { highWaterMark: 256 * 1024 }), (done) => {
    // Bytes read ahead may still arrive after a damaged part was rejected.
    if (!ended) onProgress(done, size)
  })
  const archive = (await isEncryptedFile(file)) ? await decryptBackup(opener, bytes) : bytes
  const source = Readable.from(archive, { objectMode: false })
  try {
    for await (const { name, pieces } of readArchive(source)) {
      if (name === KEY_ENTRY_NAME) key = (await readText(pieces)).trim()
      else if (name === MANIFEST_ENTRY_NAME) manifest = readManifest(await readText(pieces))
      else if (name === DATABASE_FILE_NAME) sum = await writePieces(pieces, join(folder, DATABASE_FILE_NAME))
    }
  } catch (error) {
    throw toReadError(error)
  } finally {
    ended = true
    source.destroy()
  }
  if (!manifest || manifest.sha256 !== sum) fail('backup.damaged')
  return { manifest, key }
}

/**
 * Converts an error while reading: errors of the disk and of Weir stay, any other one means that the file is damaged.
 */
function toReadError(error: unknown): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (error instanceof GatewayError || (syscall !== undefined && !code.startsWith('Z_'))) return error
  return new GatewayError('backup.damaged', {}, { cause: error })
}

function readManifest(text: string): BackupManifest {
  const document: unknown = JSON.parse(text)
  const { format, version } = document as { format?: unknown; version?: unknown }
  if (typeof format === 'number' && format > BACKUP_FORMAT_VERSION) fail('backup.newer', { version: String(version) })
  const manifest = BackupManifest.parse(document)
  const known = new Set(migrations.map(({ name }) => name))
  if (manifest.steps.some((step) => !known.has(step))) fail('backup.newer', { version: manifest.version })
  return manifest
}

async function* countBytes(
  bytes: AsyncIterable<Uint8Array>,
  onProgress: (done: number) => void,
): AsyncGenerator<Uint8Array> {
  let done = 0
  for await (const piece of bytes) {
    yield piece
    onProgress((done += piece.length))
  }
}

async function readText(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const piece of pieces) parts.push(piece)
  return Buffer.concat(parts).toString('utf8')
}

/** Writes the pieces to disk and returns their SHA-256. */
async function writePieces(pieces: AsyncIterable<Uint8Array>, file: string): Promise<string> {
  const hash = createHash('sha256')
  async function* hashPieces() {
    for await (const piece of pieces) {
      hash.update(piece)
      yield piece
    }
  }
  await pipeline(hashPieces, createWriteStream(file, { mode: PRIVATE_FILE_MODE, flush: true }))
  return hash.digest('hex')
}
