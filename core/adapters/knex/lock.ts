// One owner per data folder. The owner holds an exclusive lock on a small separate file for life; the system releases
// it when the process ends for any reason.
import { join } from 'node:path'
import sqlite3 from 'sqlite3'
import type { Logger } from '../../ports/logger.ts'
import { getErrorReason } from './connect.ts'
import { restrictToOwner, createPrivateFile } from '../private-file.ts'
import { StartError } from '../start-error.ts'

export interface FolderLock {
  release(): Promise<void>
}

const LOCK_FILE = 'weir.lock'

/**
 * Locks the data folder for this process. Returns null if another one (or another part of this one) has it.
 * @throws StartError if the folder cannot be written
 */
export async function acquireLock(folder: string, logger: Logger): Promise<FolderLock | null> {
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
