// Files that only their owner can read and write, independent of the umask and the folder.
import { chmod, open, stat } from 'node:fs/promises'
import type { Logger } from '../ports/logger.ts'

export const PRIVATE_FILE_MODE = 0o600
const OF_OTHERS = 0o077

/** True if users other than the owner have any permission in this mode. */
export const isOpenToOthers = (mode: number): boolean => process.platform !== 'win32' && (mode & OF_OTHERS) !== 0

/** Removes all permissions of others from a file. A missing or foreign file is skipped. */
export async function restrictToOwner(file: string, logger: Logger): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (!found || !isOpenToOthers(found.mode)) return
  const done = await chmod(file, PRIVATE_FILE_MODE).then(
    () => true,
    () => false,
  )
  logger.warn(done ? 'a file that others could read is private now' : 'a file can be read by others', { file })
}

/** Creates an empty file if there is none. If that fails, opening the file reports the error. */
export async function createPrivateFile(file: string): Promise<void> {
  const handle = await open(file, 'a', PRIVATE_FILE_MODE).catch(() => null)
  await handle?.close()
}

/** Flushes a folder, which makes the names of its files durable. Windows cannot open a folder, and does not need it. */
export async function flushFolderNames(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
