// Another server may answer at the same address: an empty one, or one that was behind when the first one died. So each new
// connection is asked for the last charge that was seen, and one that does not have it is not used.
import type { Logger } from '../../ports/logger.ts'

/** A connection of PostgreSQL's driver, as far as it is asked here. */
interface Asked {
  query(sql: string, parameters: string[]): Promise<{ rowCount: number | null }>
}

export interface FailoverGuard {
  /** This charge, by its hold, is durable. */
  seen(holdId: string): void
  /** @throws Error where the server at the other end does not have it */
  look(connection: Asked): Promise<void>
}

const LAST = 'select 1 from ledger_entries where hold_id = $1'

export function createLandmark(logger: Logger): FailoverGuard {
  let last: string | undefined
  let behind = false
  return {
    seen(holdId) {
      last = holdId
    },
    async look(connection) {
      if (last === undefined) return
      const { rowCount } = await connection.query(LAST, [last])
      if ((rowCount ?? 0) > 0) {
        if (behind) logger.info('The database has again what was charged')
        behind = false
        return
      }
      if (!behind)
        logger.error(
          'The database is older than what was charged: no call is taken until the right server is back, or Weir is restarted',
          { hold: last },
        )
      behind = true
      throw new Error('the database is older than what was charged')
    },
  }
}
