// Files that their owner alone may read and write, whatever the umask and the folder.
import { chmod, open, stat } from 'node:fs/promises'
import type { Logger } from '../ports/logger.ts'

export const PRIVATE_MODE = 0o600
const OF_OTHERS = 0o077

/** May anybody but its owner do something with a file of this mode? */
export const isOpen = (mode: number): boolean => process.platform !== 'win32' && (mode & OF_OTHERS) !== 0

/** Takes from others what they may do with a file; one that is not there, or not ours, is left alone. */
export async function keepPrivate(file: string, logger: Logger): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (!found || !isOpen(found.mode)) return
  const done = await chmod(file, PRIVATE_MODE).then(
    () => true,
    () => false,
  )
  logger.warn(done ? 'a file that others could read is private now' : 'a file can be read by others', { file })
}

/** Makes an empty file where there is none. What cannot be made is for whoever opens it to tell. */
export async function makePrivate(file: string): Promise<void> {
  const handle = await open(file, 'a', PRIVATE_MODE).catch(() => null)
  await handle?.close()
}

/** Names of files reach the disk with their folder. Windows cannot open one, and needs no such step. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
