// After a failover, an empty or stale server may answer at the same address. A new connection is used only if it has
// the last charge that this process has seen.
import type { Logger } from '../../ports/logger.ts'

/** The part of a connection of PostgreSQL's driver that is used here. */
interface Asked {
  query(sql: string, parameters: string[]): Promise<{ rowCount: number | null }>
}

export interface FailoverGuard {
  /** Reports that the charge of this hold is durable. */
  recordCharge(holdId: string): void
  /** @throws Error if the connected server does not have the charge */
  checkServer(connection: Asked): Promise<void>
}

const LAST = 'select 1 from ledger_entries where hold_id = $1'

export function createFailoverGuard(logger: Logger): FailoverGuard {
  let last: string | undefined
  let behind = false
  return {
    recordCharge(holdId) {
      last = holdId
    },
    async checkServer(connection) {
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
