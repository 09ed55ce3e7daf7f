// Opens the database: SQLite in a data folder that this process then owns, or PostgreSQL.
import type { Logger } from '../../../ports/logger.ts'
import { StartError } from '../../start-error.ts'
import { prepareDataFolder } from '../../secret-files.ts'
import { connectPostgres, connectSqlite } from '../connection/connection.ts'
import { lockDataFolder } from './installation.ts'
import type { Database } from '../connection/database.ts'

export interface DatabaseLocation {
  /** A `postgres://` URL; without it sqlite in `folder`. */
  database?: string
  /** The data folder of sqlite, owned by one process at a time. */
  folder?: string
  /** SQLite that is deleted on close, for tests and trials. Bytes are the database that it starts as. */
  memory?: boolean | Uint8Array
  logger: Logger
}

/**
 * Connects to the database with any schema. Closing it releases the data folder.
 * @throws StartError with one sentence for the operator; `owned` if another process has the data folder
 */
export async function openDatabase({ database: url, folder, memory, logger }: DatabaseLocation): Promise<Database> {
  if (url) return connectPostgres(url, logger)
  if (memory) return connectSqlite(null, logger, memory === true ? undefined : memory)
  if (!folder) throw new StartError('There is nowhere to keep data: give a data folder or a database URL.')
  await prepareDataFolder(folder)
  const lock = await lockDataFolder(folder, logger)
  if (!lock) {
    throw new StartError(
      `The data folder ${folder} is in use by another running Weir: stop that one, or choose another data folder.`,
      undefined,
      'owned',
    )
  }
  try {
    const database = await connectSqlite(folder, logger)
    return {
      ...database,
      async close() {
        await database.close()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}
