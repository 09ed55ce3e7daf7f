// Tells a database that is away (gone, full, starting, overrun, read-only, without its tables) from one that refuses what it
// is told. Only a proven refusal is one: what fails for another reason may well succeed later, unchanged.
import { GatewayError } from '../../errors.ts'

/**
 * Classes of PostgreSQL's error codes that are about what it was told: data, integrity, undone because of another
 * transaction, program limits. Appendix A of its manual.
 */
const REFUSED_POSTGRES = /^(22|23|40|54)...$/
const SQLSTATE = /^[0-9A-Z]{5}$/

/** SQLite's result codes that are about what it was told. */
const REFUSED_SQLITE = new Set(['CONSTRAINT', 'TOOBIG', 'MISMATCH', 'RANGE'].map((name) => `SQLITE_${name}`))

/** The error as `storage.away` if it is one, else as it is. */
export function unlessAway(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code === 'string' && code.startsWith('SQLITE_')) return REFUSED_SQLITE.has(code) ? error : asAway(error)
  // PostgreSQL names every refusal; without a name it is the connection that broke.
  if (typeof code === 'string' && SQLSTATE.test(code)) return REFUSED_POSTGRES.test(code) ? error : asAway(error)
  return error instanceof RangeError || error instanceof TypeError ? error : asAway(error)
}

export const asAway = (cause: unknown): GatewayError =>
  new GatewayError('storage.away', {}, { cause, detail: cause instanceof Error ? cause.message : String(cause) })
