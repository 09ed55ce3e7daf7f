// Checks that the database file is still the one that was opened, and is readable. Writes to a deleted or replaced file
// are lost, and a disk that cannot be read is not trusted with more data.
import { open, stat } from 'node:fs/promises'
import type { Logger } from '../../ports/logger.ts'

export interface FileWatch {
  /** True if the opened file was deleted or replaced, or cannot be read. */
  isGone(): boolean
  close(): Promise<void>
}

const EVERY_MS = 1_000
/** Each check reads the beginning and this many bytes of the rest, one part after the other. */
const PART_BYTES = 64 * 1024
const FORMAT = 'SQLite format 3\0'

const LOST = {
  replaced: 'The database file was deleted or replaced: no call is taken until it is back, or Weir is restarted',
  unreadable:
    'The database file cannot be read: no call is taken until it can; look at the disk, and at the last backup',
}

/** Watches the open file of this name. */
export async function watchFile(file: string, logger: Logger): Promise<FileWatch> {
  // Stays open for the life of the process: closing one of its handles would drop SQLite's locks.
  const handle = await open(file, 'r')
  const identity = () =>
    stat(file, { bigint: true }).then(
      ({ dev, ino }) => `${dev} ${ino}`,
      () => 'none',
    )
  const opened = await identity()
  const bytes = Buffer.alloc(PART_BYTES)
  let at = 0

  async function isReadable(): Promise<boolean> {
    try {
      const { bytesRead } = await handle.read(bytes, 0, FORMAT.length, 0)
      if (bytesRead > 0 && bytes.toString('latin1', 0, FORMAT.length) !== FORMAT) return false
      const part = await handle.read(bytes, 0, PART_BYTES, at)
      at = part.bytesRead < PART_BYTES ? 0 : at + PART_BYTES
      return true
    } catch {
      return false
    }
  }

  let lost: keyof typeof LOST | undefined
  let looking: Promise<void> | undefined
  async function checkFile(): Promise<void> {
    const now = (await identity()) === opened ? ((await isReadable()) ? undefined : 'unreadable') : 'replaced'
    if (now === lost) return
    lost = now
    if (now) logger.error(LOST[now], { file })
    else logger.info('The database file is back', { file })
  }
  const timer = setInterval(() => {
    // A disk that does not respond gets no second read.
    looking ??= checkFile().finally(() => (looking = undefined))
  }, EVERY_MS)
  timer.unref()
  return {
    isGone: () => lost !== undefined,
    async close() {
      clearInterval(timer)
      await looking
      await handle.close()
    },
  }
}
