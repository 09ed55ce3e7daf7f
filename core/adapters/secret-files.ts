// The master secret in the data folder: one file, and a second one during a rotation. The database decides which of the
// two is valid, so that a process may end at any moment without losing the right one.
import { randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { access, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from '../ports/logger.ts'
import { DATABASE_FILE_NAME, getErrorReason } from './knex/connection/connection.ts'
import { flushFolderNames, PRIVATE_FILE_MODE, restrictToOwner } from './private-file.ts'
import { StartError } from './start-error.ts'

// The folder of the database and the key file.

/** Creates the data folder if it does not exist. @throws StartError that names the obstacle */
export async function prepareDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(
      `The data folder ${folder.replaceAll('\0', '\\0')} cannot be used: ${formatReason(error)}. Name another one with --data (WEIR_DATA).`,
      error,
    )
  }
}

/**
 * Creates one folder after the other: if a parent exists but cannot contain folders (such as /proc), Node's recursive
 * mode retries forever.
 * @throws an error of the system
 */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const parent = dirname(folder)
    if (code === 'ENOENT' && parent !== folder && !existsSync(parent)) {
      await makeFolder(parent)
      return makeFolder(folder)
    }
    if (code !== 'EEXIST') throw error
    if (!(await stat(folder)).isDirectory()) throw error
  }
}

function formatReason(error: unknown): string {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  const reasons: Record<string, string> = {
    EACCES: 'this user may not write there',
    EPERM: 'this user may not write there',
    EROFS: 'the file system is read-only',
    ENOTDIR: 'a file is in the way',
    EEXIST: 'a file is in the way',
    ENOENT: syscall === 'stat' ? 'a link to nowhere is in the way' : 'its parent takes no folders',
    ELOOP: 'a link that points to itself is in the way',
    ENAMETOOLONG: 'its name is too long',
    ENOSPC: 'the disk is full',
    ERR_INVALID_ARG_VALUE: 'there is a NUL in its name',
  }
  return reasons[code] ?? `${code || message}`
}

const KEY_FILE = 'weir.key'
const NEXT_FILE = 'weir.key.new'
const KEY_BYTES = 32
const MIN_LENGTH = 16

export interface MasterKeyFiles {
  /** Secrets that may be the database's, the likelier one first. */
  candidates: string[]
  /** The file with the secret; null if the environment provides it. */
  file: string | null
  /** True if this start has created the file. */
  made: boolean
  /** Writes the next secret to disk, next to the current one. */
  propose(secret: string): Promise<void>
  /** Makes this secret the key file, once it is the database's, and removes the other one. */
  settle(secret: string): Promise<void>
  /** Removes a file that was created for a failed start, so that no later start takes it for the right one. */
  withdraw(): Promise<void>
}

/** Wraps a secret from the environment, which is never written to disk. */
export const toMasterKeys = (secret: string): MasterKeyFiles => ({
  candidates: [secret],
  file: null,
  made: false,
  propose: async () => undefined,
  settle: async () => undefined,
  withdraw: async () => undefined,
})

export const generateMasterKey = (): string => randomBytes(KEY_BYTES).toString('base64url')

/**
 * Opens the key files of a data folder. Creates the first one if there is none, readable only by its owner.
 * @throws StartError if it is lost, unreadable, or cannot be created
 */
export async function openKeyFiles(
  folder: string,
  { database, logger }: { database?: string; logger: Logger },
): Promise<MasterKeyFiles> {
  await prepareDataFolder(folder)
  const file = join(folder, KEY_FILE)
  const next = join(folder, NEXT_FILE)
  const made = existsSync(file) || existsSync(next) ? false : await makeKeyFile(folder, file, database)
  for (const each of [file, next]) await restrictToOwner(each, logger)
  const candidates = await readStoredSecrets(folder)
  if (candidates.length === 0) throw refusal(`The key file ${file} is empty or unreadable: put the right one back.`)
  return {
    candidates,
    file,
    made,
    async propose(secret) {
      await writeWhole(next, secret).catch((error: unknown) => {
        throw refusal(`The file ${next} cannot be written (${getErrorReason(error)}): nothing was changed.`, error)
      })
      await flushFolderNames(folder)
    },
    async settle(secret) {
      if ((await readSecretFile(file)) === secret) return rm(next, { force: true })
      await rename(next, file).catch(async (error: unknown) => {
        // Another process that shares the folder may have done it at the same moment.
        if ((await readSecretFile(file)) === secret) return
        throw refusal(
          `The key file ${file} cannot be replaced (${getErrorReason(error)}): move ${next} over it, which holds the right secret.`,
          error,
        )
      })
      await flushFolderNames(folder)
    },
    async withdraw() {
      if (made) await rm(file, { force: true })
    },
  }
}

/**
 * Stores the secret of a database that is copied into this folder. Returns the file.
 * @throws StartError if the folder has another key
 */
export async function storeMasterKey(folder: string, secret: string): Promise<string> {
  await prepareDataFolder(folder)
  const file = join(folder, KEY_FILE)
  const present = await readSecretFile(file)
  if (present === secret) return file
  if (present !== '') throw refusal(`The folder ${folder} has another key file: name an empty folder.`)
  await writeWhole(file, secret).catch((error: unknown) => {
    throw refusal(`The key file ${file} cannot be written (${getErrorReason(error)}).`, error)
  })
  await flushFolderNames(folder)
  return file
}

/**
 * Opens the database with the first matching secret.
 * @throws StartError the error of the last attempt
 */
export async function openWithMatchingSecret<T>(
  keys: MasterKeyFiles,
  attempt: (secret: string) => Promise<T>,
): Promise<T> {
  const last = keys.candidates.at(-1)
  for (const secret of keys.candidates) {
    try {
      return await attempt(secret)
    } catch (error) {
      const code = error instanceof StartError ? error.code : undefined
      if (code === 'secret' && secret !== last) continue
      // A folder that is in use has been opened with this file.
      if (code !== 'owned') await keys.withdraw().catch(() => undefined)
      throw error
    }
  }
  throw refusal('There is no master secret.')
}

async function makeKeyFile(folder: string, file: string, database: string | undefined): Promise<boolean> {
  if (!database && existsSync(join(folder, DATABASE_FILE_NAME))) {
    throw refusal(
      `The database in ${folder} has lost its key file ${KEY_FILE}: put the file back, or start with the secret in WEIR_SECRET.`,
    )
  }
  // Another process may be creating it at the same moment: the first one wins.
  try {
    await writeFile(file, `${generateMasterKey()}\n`, { mode: PRIVATE_FILE_MODE, flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw refusal(`The key file ${file} cannot be written: make the folder writable for this user.`, error)
  }
}

/** Returns the secrets in the files of a folder, the likelier one first. */
export async function readStoredSecrets(folder: string): Promise<string[]> {
  const found = await Promise.all([KEY_FILE, NEXT_FILE].map((name) => readSecretFile(join(folder, name))))
  return found.filter((secret) => secret.length >= MIN_LENGTH)
}

/** Returns an empty text if the file does not exist. */
const readSecretFile = async (file: string): Promise<string> => (await readFile(file, 'utf8').catch(() => '')).trim()

/** Writes a file that survives a power cut. */
async function writeWhole(path: string, secret: string): Promise<void> {
  await rm(path, { force: true })
  const handle = await open(path, 'wx', PRIVATE_FILE_MODE)
  try {
    await handle.writeFile(`${secret}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const refusal = (message: string, cause?: unknown) => new StartError(message, cause, 'secret')
