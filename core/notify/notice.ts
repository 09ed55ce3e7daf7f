// What the super administrator is told without having asked: a row in their log, and a line for whoever reads ours.
import { eventLog, LOG_TYPE } from '../logs/log.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Storage } from '../ports/storage.ts'

/** `kind` groups notices of one sort; the text is plain and names what happened to what. */
export interface Notice {
  kind: 'channel_disabled' | 'channel_enabled' | 'channel_test'
  text: string
}

/** Never rejects: what is told must not stop what happened. */
export type Notify = (notice: Notice) => Promise<void>

export function createNotify({ storage, clock, logger }: { storage: Storage; clock: Clock; logger: Logger }): Notify {
  async function write({ kind, text }: Notice): Promise<void> {
    const root = await storage.users.findRoot()
    if (!root) return
    const row = eventLog(root, LOG_TYPE.system, seconds(clock), text)
    await storage.logs.insert([{ ...row, other: JSON.stringify({ notice: kind }) }])
  }
  return async (notice) => {
    logger.warn(notice.text, { notice: notice.kind })
    await write(notice).catch((error: unknown) => logger.error('a notice was not written', { error: String(error) }))
  }
}
