// Distinguishes an unavailable database (down, full, starting, overloaded, read-only, without tables) from a rejected
// statement. Only known error codes count as a rejection; any other failure is retried.
import type { Knex } from 'knex'
import { GatewayError, thrownText } from '../../errors.ts'

/**
 * Classes of PostgreSQL's error codes that reject a statement: data, integrity, rollback because of another
 * transaction, program limits. Appendix A of its manual.
 */
const REFUSED_POSTGRES = /^(22|23|40|54)...$/
const SQLSTATE = /^[0-9A-Z]{5}$/

/** SQLite's result codes that reject a statement. */
const REFUSED_SQLITE = new Set(['CONSTRAINT', 'TOOBIG', 'MISMATCH', 'RANGE'].map((name) => `SQLITE_${name}`))

/** Converts an error to `storage.away` if the database is unavailable; returns other errors unchanged. */
export function classifyDatabaseError(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code === 'string' && code.startsWith('SQLITE_'))
    return REFUSED_SQLITE.has(code) ? error : toUnavailableError(error)
  // PostgreSQL sends a code with every rejection. An error without one is a broken connection.
  if (typeof code === 'string' && SQLSTATE.test(code))
    return REFUSED_POSTGRES.test(code) ? error : toUnavailableError(error)
  const isOurs = error instanceof GatewayError || error instanceof RangeError || error instanceof TypeError
  return isOurs ? error : toUnavailableError(error)
}

export const toUnavailableError = (cause: unknown): GatewayError =>
  cause instanceof GatewayError ? cause : new GatewayError('storage.away', {}, { cause, detail: thrownText(cause) })

/**
 * The part of a knex client that is wrapped. Each database has its own client class, and the clients of transactions
 * are made from it.
 */
interface Dialect {
  query(...args: unknown[]): Promise<unknown>
  acquireConnection(): Promise<unknown>
}

/** Makes all queries of this pool throw `storage.away` while the database is unavailable. */
export function wrapDriverErrors({ client }: Knex): void {
  const { constructor } = client as { constructor: new () => Dialect }
  const rethrow = (error: unknown) => {
    throw classifyDatabaseError(error)
  }
  class ClassifyingClient extends constructor {
    override query(...args: unknown[]) {
      return super.query(...args).catch(rethrow)
    }
    override acquireConnection() {
      return super.acquireConnection().catch(rethrow)
    }
  }
  Object.setPrototypeOf(client, ClassifyingClient.prototype as object)
}
