// Records in the data folder that its Weir has a database. An empty database in its place means that data was lost, and
// it is not set up again automatically.
import { existsSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configOptions } from '../config.ts'
import type { Logger } from '../ports/logger.ts'
import type { Database } from './knex/database.ts'
import { DATABASE_FILE } from './knex/connect.ts'
import { refuseForeignTables } from './knex/foreign-tables.ts'
import { listAppliedSteps } from './knex/migrate.ts'
import type { DatabasePlace } from './knex/open.ts'
import { restrictToOwner, PRIVATE_MODE } from './private-file.ts'
import { StartError } from './start-error.ts'

const MARK = 'weir.known'
const MARK_TEXT = `The Weir of this folder has a database. Where that is empty, Weir does not start: see ${configOptions.new_database.env}.\n`
const MEANT = `say that a new one is meant with ${configOptions.new_database.flag.replace(/<.*/, 'yes')} (${configOptions.new_database.env}=yes)`

/** True if this folder's Weir has had a database. A key file without an SQLite file also shows that. */
export const hadDatabase = (folder: string, { hasKey, database }: { hasKey: boolean; database?: string }): boolean =>
  existsSync(join(folder, MARK)) || (hasKey && database === undefined)

/** If everything comes from the environment, there may be no folder to record it in. */
export async function rememberDatabase(folder: string, logger: Logger): Promise<void> {
  const file = join(folder, MARK)
  await writeFile(file, MARK_TEXT, { mode: PRIVATE_MODE, flag: 'wx' }).catch(() => undefined)
  await restrictToOwner(file, logger)
}

/** Checked before anything is created. @throws StartError if the SQLite file is missing or empty */
export async function refuseMissing({ folder, database }: Pick<DatabasePlace, 'folder' | 'database'>): Promise<void> {
  if (folder === undefined || database !== undefined) return
  const file = join(folder, DATABASE_FILE)
  const found = await stat(file).catch(() => null)
  if (found === null || found.size === 0)
    throw refusal(`The database ${file} is gone, which this data folder has had: put it back from a backup`)
}

/** @throws StartError if this database has no data of Weir, or belongs to another program */
export async function refuseEmpty(database: Database): Promise<void> {
  const { kind, read } = database
  const known = (await read.schema.hasTable('installation')) && (await read('installation').first('id'))
  if (known) return
  if ((await listAppliedSteps(read)).length === 0) await refuseForeignTables(database)
  const where = kind === 'postgres' ? 'correct the database URL, or restore a backup' : 'put a backup in its place'
  throw refusal(`The database is empty, and this data folder has known one that was not: ${where}`)
}

const refusal = (what: string) => new StartError(`${what}; or ${MEANT}.`, undefined, 'empty')
