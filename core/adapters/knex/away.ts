// Tells a database that is away (gone, full, starting, overrun) from one that refuses what it is told. What fails for the
// first reason may well succeed later, unchanged.
import { GatewayError } from '../../errors.ts'

/**
 * Classes of PostgreSQL's error codes: connection, resources, operator's intervention, system error. Appendix A of its
 * manual.
 */
const AWAY_POSTGRES = /^(08|53|57|58)...$|^25006$/
const SQLSTATE = /^[0-9A-Z]{5}$/

/** SQLite's result codes that say nothing about the statement. */
const AWAY_SQLITE = new Set(
  ['BUSY', 'LOCKED', 'NOMEM', 'READONLY', 'IOERR', 'CORRUPT', 'FULL', 'CANTOPEN', 'PROTOCOL', 'NOLFS', 'NOTADB'].map(
    (name) => `SQLITE_${name}`,
  ),
)

/** The error as `storage.away` if it is one, else as it is. */
export function unlessAway(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code === 'string' && code.startsWith('SQLITE_')) return AWAY_SQLITE.has(code) ? asAway(error) : error
  // PostgreSQL names every refusal; without a name it is the connection that broke.
  if (typeof code === 'string' && SQLSTATE.test(code)) return AWAY_POSTGRES.test(code) ? asAway(error) : error
  return error instanceof RangeError || error instanceof TypeError ? error : asAway(error)
}

export const asAway = (cause: unknown): GatewayError =>
  new GatewayError('storage.away', {}, { cause, detail: cause instanceof Error ? cause.message : String(cause) })
