// Tells a database that is away (gone, full, starting, overrun, read-only, without its tables) from one that refuses what it
// is told. Only a proven refusal is one: what fails for another reason may well succeed later, unchanged.
import type { Knex } from 'knex'
import { GatewayError, thrownText } from '../../errors.ts'

/**
 * Classes of PostgreSQL's error codes that are about what it was told: data, integrity, undone because of another
 * transaction, program limits. Appendix A of its manual.
 */
const REFUSED_POSTGRES = /^(22|23|40|54)...$/
const SQLSTATE = /^[0-9A-Z]{5}$/

/** SQLite's result codes that are about what it was told. */
const REFUSED_SQLITE = new Set(['CONSTRAINT', 'TOOBIG', 'MISMATCH', 'RANGE'].map((name) => `SQLITE_${name}`))

/** The error as `storage.away` if it is one, else as it is. */
export function classifyDatabaseError(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code === 'string' && code.startsWith('SQLITE_'))
    return REFUSED_SQLITE.has(code) ? error : toUnavailableError(error)
  // PostgreSQL names every refusal; without a name it is the connection that broke.
  if (typeof code === 'string' && SQLSTATE.test(code))
    return REFUSED_POSTGRES.test(code) ? error : toUnavailableError(error)
  const isOurs = error instanceof GatewayError || error instanceof RangeError || error instanceof TypeError
  return isOurs ? error : toUnavailableError(error)
}

export const toUnavailableError = (cause: unknown): GatewayError =>
  cause instanceof GatewayError ? cause : new GatewayError('storage.away', {}, { cause, detail: thrownText(cause) })

/** What knex has of a client of its own for each database; those of transactions are made of its class. */
interface Dialect {
  query(...asked: unknown[]): Promise<unknown>
  acquireConnection(): Promise<unknown>
}

/** From now on whoever asks this pool is told `storage.away` where it is. */
export function wrapDriverErrors({ client }: Knex): void {
  const { constructor } = client as { constructor: new () => Dialect }
  const told = (error: unknown) => {
    throw classifyDatabaseError(error)
  }
  class Telling extends constructor {
    override query(...asked: unknown[]) {
      return super.query(...asked).catch(told)
    }
    override acquireConnection() {
      return super.acquireConnection().catch(told)
    }
  }
  Object.setPrototypeOf(client, Telling.prototype as object)
}
