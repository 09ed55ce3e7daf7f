// Looks whether the database file is still the one that was opened: what goes into a deleted or replaced one is lost.
import { stat } from 'node:fs/promises'
import type { Logger } from '../../ports/logger.ts'

export interface FileWatch {
  /** Is another file, or none, where the opened one was? */
  isGone(): boolean
  close(): void
}

const EVERY_MS = 1_000

/** Watches the file that is open under this name. */
export async function watchFile(file: string, logger: Logger): Promise<FileWatch> {
  const identity = () =>
    stat(file, { bigint: true }).then(
      ({ dev, ino }) => `${dev} ${ino}`,
      () => 'none',
    )
  const opened = await identity()
  let gone = false
  const timer = setInterval(() => {
    void identity().then((now) => {
      if (gone === (now !== opened)) return
      gone = now !== opened
      if (gone) {
        logger.error(
          'The database file was deleted or replaced: no call is taken until it is back, or Weir is restarted',
          {
            file,
          },
        )
      } else logger.info('The database file is back', { file })
    })
  }, EVERY_MS)
  timer.unref()
  return { isGone: () => gone, close: () => clearInterval(timer) }
}
