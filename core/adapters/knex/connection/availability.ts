// Distinguishes an unavailable database (down, full, starting, overloaded, read-only, without tables) from a rejected
// statement. Only known error codes count as a rejection; any other failure is retried.
import type { Knex } from 'knex'
import { open, stat } from 'node:fs/promises'
import { GatewayError, getThrownText } from '../../../errors.ts'
import type { Logger } from '../../../ports/logger.ts'

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
  cause instanceof GatewayError ? cause : new GatewayError('storage.away', {}, { cause, detail: getThrownText(cause) })

/**
 * The part of a knex client that is wrapped. Each database has its own client class, and the clients of transactions
 * are made from it.
 */
interface WrappedClient {
  query(...args: unknown[]): Promise<unknown>
  acquireConnection(): Promise<unknown>
}

/** Makes all queries of this pool throw `storage.away` while the database is unavailable. */
export function wrapDriverErrors({ client }: Knex): void {
  const { constructor } = client as { constructor: new () => WrappedClient }
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

// After a failover, an empty or stale server may answer at the same address. A new connection is used only if it has
// the last charge that this process has seen.

/** The part of a connection of PostgreSQL's driver that is used here. */
interface CheckedConnection {
  query(sql: string, parameters: string[]): Promise<{ rowCount: number | null }>
}

export interface FailoverGuard {
  /** Reports that the charge of this hold is durable. */
  recordCharge(holdId: string): void
  /** @throws Error if the connected server does not have the charge */
  checkServer(connection: CheckedConnection): Promise<void>
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

// Checks that the database file is still the one that was opened, and is readable. Writes to a deleted or replaced file
// are lost, and a disk that cannot be read is not trusted with more data.

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
export async function watchDatabaseFile(file: string, logger: Logger): Promise<FileWatch> {
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
