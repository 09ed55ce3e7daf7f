// Reads a backup: what it says of itself, its key where it has one, and its database into a folder, sum by sum.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { migrations } from '../../../migrations/index.ts'
import { BACKUP_FORMAT, BackupManifest } from '../../backups/manifest.ts'
import { fail, GatewayError } from '../../errors.ts'
import { DATABASE_FILE } from '../knex/connect.ts'
import { PRIVATE_MODE } from '../private-file.ts'
import { readArchive } from './archive.ts'
import { KEY_ENTRY, MANIFEST_ENTRY } from './make.ts'
import { AGE_BEGINS, decrypted, type Opener } from './sealing.ts'

/** Of a backup that was read. */
export interface ReadBackup {
  manifest: BackupManifest
  /** The master secret; null where it is not in there. */
  key: string | null
}

/** Bytes of the file that were read, of those there are. */
export type TellBytes = (done: number, total: number) => void

/** A file begins so where it is encrypted. */
export async function isSealed(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(AGE_BEGINS.length), 0, AGE_BEGINS.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === AGE_BEGINS
  } finally {
    await handle.close()
  }
}

/**
 * Writes the database of a backup into a folder, and checks that it is what was kept.
 * @throws GatewayError backup.damaged, backup.locked, backup.newer
 */
export async function unpack(file: string, folder: string, opener: Opener, tell: TellBytes): Promise<ReadBackup> {
  const { size } = await stat(file)
  let manifest: BackupManifest | undefined
  let key: string | null = null
  let sum = ''
  let ended = false
  const bytes = counted(createReadStream(file, { highWaterMark: 256 * 1024 }), (done) => {
    // What is read ahead of a damaged place may arrive after it was refused.
    if (!ended) tell(done, size)
  })
  const archive = (await isSealed(file)) ? await decrypted(opener, bytes) : bytes
  const source = Readable.from(archive, { objectMode: false })
  const opened = createGunzip()
  source.on('error', (error) => opened.destroy(error))
  try {
    for await (const { name, pieces } of readArchive(source.pipe(opened))) {
      if (name === KEY_ENTRY) key = (await textOf(pieces)).trim()
      else if (name === MANIFEST_ENTRY) manifest = readManifest(await textOf(pieces))
      else if (name === DATABASE_FILE) sum = await written(pieces, join(folder, DATABASE_FILE))
    }
  } catch (error) {
    throw unreadable(error)
  } finally {
    ended = true
    source.destroy()
  }
  if (!manifest || manifest.sha256 !== sum) fail('backup.damaged')
  return { manifest, key }
}

/** What the disk or we ourselves say stands; whatever else breaks is the file's fault. */
function unreadable(error: unknown): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (error instanceof GatewayError || (syscall !== undefined && !code.startsWith('Z_'))) return error
  return new GatewayError('backup.damaged', {}, { cause: error })
}

function readManifest(text: string): BackupManifest {
  const said: unknown = JSON.parse(text)
  const { format, version } = said as { format?: unknown; version?: unknown }
  if (typeof format === 'number' && format > BACKUP_FORMAT) fail('backup.newer', { version: String(version) })
  const manifest = BackupManifest.parse(said)
  const known = new Set(migrations.map(({ name }) => name))
  if (manifest.steps.some((step) => !known.has(step))) fail('backup.newer', { version: manifest.version })
  return manifest
}

async function* counted(bytes: AsyncIterable<Uint8Array>, tell: (done: number) => void): AsyncGenerator<Uint8Array> {
  let done = 0
  for await (const piece of bytes) {
    yield piece
    tell((done += piece.length))
  }
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const piece of pieces) parts.push(piece)
  return Buffer.concat(parts).toString('utf8')
}

/** On disk, and what it comes to. */
async function written(pieces: AsyncIterable<Uint8Array>, file: string): Promise<string> {
  const hash = createHash('sha256')
  async function* hashed() {
    for await (const piece of pieces) {
      hash.update(piece)
      yield piece
    }
  }
  await pipeline(hashed, createWriteStream(file, { mode: PRIVATE_MODE, flush: true }))
  return hash.digest('hex')
}
