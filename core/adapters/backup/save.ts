// Writes a backup to a file: under a temporary name until it is complete, on disk and verified; encrypted if requested.
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BackupManifest } from '../../backups/manifest.ts'
import type { Config } from '../../config.ts'
import { fail } from '../../errors.ts'
import type { LedgerVerification } from '../knex/ledger/ledger-entries.ts'
import { openKeyFiles, toMasterKeys } from '../secret-files.ts'
import { toDiskFullError } from '../start-error.ts'
import { createLogger } from '../pino.ts'
import { flushFolderNames, PRIVATE_FILE_MODE } from '../private-file.ts'
import { writeKeyEntry } from './make.ts'
import { verifyUnpacked } from './prove.ts'
import { unpackBackup, type ByteProgress } from './read.ts'
import { encryptBackup, type BackupCredentials, type BackupRecipient } from './sealing.ts'

export interface SavedBackup extends BackupManifest {
  file: string
  /** Size of the file itself, in bytes. */
  size: number
  encrypted: boolean
  has_key: boolean
}

type Pieces = AsyncIterable<string | Uint8Array>

export interface SaveOptions {
  file: string
  /** Makes the backup, once the file is known to be writable. */
  make(): Promise<Pieces>
  /** True if an existing file of this name may be replaced. */
  overwrite: boolean
  sealed: BackupRecipient | null
  withKey: boolean
  /** The configuration with the master secret; undefined for a remote Weir. */
  config?: Config
  onProgress?(step: 'write' | 'check', ...bytes: Parameters<ByteProgress>): void
}

/**
 * Writes a backup and reads it back: checksums, schema, rows, and the ledger if the master secret is available.
 * @throws GatewayError backup.file_exists, disk.full, backup.damaged
 */
export async function saveBackup({
  file,
  make,
  overwrite,
  sealed,
  withKey,
  config,
  onProgress,
}: SaveOptions): Promise<SavedBackup> {
  const target = resolve(file)
  if (existsSync(target) && !overwrite) fail('backup.file_exists', { file })
  const part = `${target}.part`
  // Always the same names, so that the next run removes the files of a killed one.
  const room = `${target}.check`
  const logger = createLogger({ level: 'silent', format: 'json' })
  try {
    await rm(room, { recursive: true, force: true })
    await mkdir(room, { mode: 0o700 })
    const candidates = config ? await findSecrets(config) : []
    const bytes = withKey
      ? prepend(writeKeyEntry(candidates[0] ?? fail('backup.no_key'), Math.floor(Date.now() / 1000)), make)
      : asBytes(make)
    const { sealed: written, opener } = sealed
      ? await encryptBackup(sealed, bytes)
      : { sealed: bytes, opener: {} as BackupCredentials }
    let size = 0
    async function* countPieces() {
      for await (const piece of written) {
        onProgress?.('write', (size += piece.length), 0)
        yield piece
      }
    }
    await rm(part, { force: true })
    await pipeline(countPieces, createWriteStream(part, { mode: PRIVATE_FILE_MODE, flags: 'wx', flush: true }))
    const { manifest, key } = await unpackBackup(part, room, opener, (...done) => onProgress?.('check', ...done))
    const { ledger, secret } = await verifyUnpacked({ folder: room, manifest, candidates, logger })
    if (withKey && (key === null || key !== secret)) fail('backup.damaged')
    await rename(part, target)
    await flushFolderNames(dirname(target))
    const proven: { ledger: LedgerVerification | null } = { ledger: ledger ?? manifest.ledger }
    return { ...manifest, ...proven, file: target, size, encrypted: sealed !== null, has_key: key !== null }
  } catch (error) {
    await rm(part, { force: true })
    throw toDiskFullError(error, dirname(target))
  } finally {
    await rm(room, { recursive: true, force: true })
  }
}

/** Returns candidates for the master secret of this installation. */
async function findSecrets(config: Config): Promise<string[]> {
  if (config.secret) return toMasterKeys(config.secret).candidates
  const logger = createLogger({ level: 'silent', format: 'json' })
  return (await openKeyFiles(resolve(config.data), { database: config.database, logger })).candidates
}

async function* asBytes(make: () => Promise<Pieces>): AsyncGenerator<Uint8Array> {
  for await (const piece of await make()) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}

async function* prepend(first: AsyncIterable<Uint8Array>, make: () => Promise<Pieces>): AsyncGenerator<Uint8Array> {
  yield* first
  yield* asBytes(make)
}
