// The master secret in the data folder: one file, and for the moment of a rotation a second one beside it. Which of the
// two is right is for the database to say, so that neither is lost nor taken wrongly, whenever the process ends.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../ports/logger.ts'
import { prepareFolder } from './data-folder.ts'
import { DATABASE_FILE, getErrorReason } from './knex/connect.ts'
import { flushFolder, keepPrivate, PRIVATE_MODE } from './private-file.ts'
import { StartError } from './start-error.ts'

const KEY_FILE = 'weir.key'
const NEXT_FILE = 'weir.key.new'
const KEY_BYTES = 32
const MIN_LENGTH = 16

export interface Keys {
  /** Secrets that may be the database's, the likelier one first. */
  candidates: string[]
  /** The file that keeps the secret; null where the environment gives it. */
  file: string | null
  /** Is the file of this very start? */
  made: boolean
  /** Puts the secret that is to come on disk, beside the present one. */
  propose(secret: string): Promise<void>
  /** This one is the database's: it becomes the key file, and what lies beside it goes. */
  settle(secret: string): Promise<void>
  /** None of them opened a database: a file made for the attempt goes, so that no later start takes it for the right one. */
  withdraw(): Promise<void>
}

/** A secret from the environment: nothing of it is on disk. */
export const givenKey = (secret: string): Keys => ({
  candidates: [secret],
  file: null,
  made: false,
  propose: async () => undefined,
  settle: async () => undefined,
  withdraw: async () => undefined,
})

export const newKey = (): string => randomBytes(KEY_BYTES).toString('base64url')

/**
 * The key files of a data folder. The first one is made where there is none yet, readable by its owner alone.
 * @throws StartError when it is lost, unreadable, or cannot be made
 */
export async function openKeyFiles(
  folder: string,
  { database, logger }: { database?: string; logger: Logger },
): Promise<Keys> {
  await prepareFolder(folder)
  const file = join(folder, KEY_FILE)
  const next = join(folder, NEXT_FILE)
  const made = existsSync(file) || existsSync(next) ? false : await make(folder, file, database)
  for (const each of [file, next]) await keepPrivate(each, logger)
  const candidates = await keptSecrets(folder)
  if (candidates.length === 0) throw refusal(`The key file ${file} is empty or unreadable: put the right one back.`)
  return {
    candidates,
    file,
    made,
    async propose(secret) {
      await writeWhole(next, secret).catch((error: unknown) => {
        throw refusal(`The file ${next} cannot be written (${getErrorReason(error)}): nothing was changed.`, error)
      })
      await flushFolder(folder)
    },
    async settle(secret) {
      if ((await secretIn(file)) === secret) return rm(next, { force: true })
      await rename(next, file).catch(async (error: unknown) => {
        // Another process that shares the folder may have done it at the same moment.
        if ((await secretIn(file)) === secret) return
        throw refusal(
          `The key file ${file} cannot be replaced (${getErrorReason(error)}): move ${next} over it, which holds the right secret.`,
          error,
        )
      })
      await flushFolder(folder)
    },
    async withdraw() {
      if (made) await rm(file, { force: true })
    },
  }
}

/**
 * Puts the secret of a database that is copied into this folder. Gives the file.
 * @throws StartError where the folder has another key
 */
export async function keepKey(folder: string, secret: string): Promise<string> {
  await prepareFolder(folder)
  const file = join(folder, KEY_FILE)
  const present = await secretIn(file)
  if (present === secret) return file
  if (present !== '') throw refusal(`The folder ${folder} has another key file: name an empty folder.`)
  await writeWhole(file, secret).catch((error: unknown) => {
    throw refusal(`The key file ${file} cannot be written (${getErrorReason(error)}).`, error)
  })
  await flushFolder(folder)
  return file
}

/**
 * Opens the database with the first secret that fits it.
 * @throws StartError what the last attempt said
 */
export async function openWithMatchingSecret<T>(keys: Keys, attempt: (secret: string) => Promise<T>): Promise<T> {
  const last = keys.candidates.at(-1)
  for (const secret of keys.candidates) {
    try {
      return await attempt(secret)
    } catch (error) {
      const code = error instanceof StartError ? error.code : undefined
      if (code === 'secret' && secret !== last) continue
      // A folder that is owned has been opened with the file.
      if (code !== 'owned') await keys.withdraw().catch(() => undefined)
      throw error
    }
  }
  throw refusal('There is no master secret.')
}

async function make(folder: string, file: string, database: string | undefined): Promise<boolean> {
  if (!database && existsSync(join(folder, DATABASE_FILE))) {
    throw refusal(
      `The database in ${folder} has lost its key file ${KEY_FILE}: put the file back, or start with the secret in WEIR_SECRET.`,
    )
  }
  // Another process may be making it at the same moment: the first one's stays.
  try {
    await writeFile(file, `${newKey()}\n`, { mode: PRIVATE_MODE, flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw refusal(`The key file ${file} cannot be written: make the folder writable for this user.`, error)
  }
}

/** Secrets that the files of a folder hold, the likelier one first. */
export async function keptSecrets(folder: string): Promise<string[]> {
  const found = await Promise.all([KEY_FILE, NEXT_FILE].map((name) => secretIn(join(folder, name))))
  return found.filter((secret) => secret.length >= MIN_LENGTH)
}

/** Empty where there is no such file. */
const secretIn = async (file: string): Promise<string> => (await readFile(file, 'utf8').catch(() => '')).trim()

/** A file that is there after a power cut, too. */
async function writeWhole(path: string, secret: string): Promise<void> {
  await rm(path, { force: true })
  const handle = await open(path, 'wx', PRIVATE_MODE)
  try {
    await handle.writeFile(`${secret}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const refusal = (message: string, cause?: unknown) => new StartError(message, cause, 'secret')
