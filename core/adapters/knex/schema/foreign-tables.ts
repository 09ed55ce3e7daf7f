// Recognizes a database that another program uses. Weir creates its tables there only if the operator confirms it,
// because the other program's next migration may drop them.
import { configOptions } from '../../../config.ts'
import { StartError } from '../../start-error.ts'
import type { Database } from '../connection/database.ts'
import { MIGRATION_HISTORY_TABLES, queryDatabaseRows } from './table-shapes.ts'

/** The number of tables that the message names. */
const MAX_NAMED = 5

/** PostgreSQL: all schemas, but no table of an extension. A schema other than `public` is part of the name. */
const POSTGRES_RELATIONS = `select case when spaces.nspname in ('public', current_schema()) then '' else spaces.nspname || '.' end
    || relations.relname as name
  from pg_class as relations join pg_namespace as spaces on spaces.oid = relations.relnamespace
  where relations.relkind in ('r', 'p', 'v', 'm', 'f') and not relations.relispartition
    and spaces.nspname not like 'pg!_%' escape '!' and spaces.nspname <> 'information_schema'
    and not exists (select from pg_depend as owned where owned.classid = 'pg_class'::regclass
      and owned.objid = relations.oid and owned.deptype = 'e')
  order by 1`

const SQLITE_RELATIONS = `select name from sqlite_master
  where type in ('table', 'view') and name not like 'sqlite!_%' escape '!' order by name`

/**
 * Checks a database in which Weir has not taken any step yet.
 * @throws StartError if it has tables or views, which are those of another program
 */
export async function refuseForeignTables({ kind, read, place }: Database): Promise<void> {
  const found = await queryDatabaseRows<{ name: string }>(
    read,
    kind === 'sqlite' ? SQLITE_RELATIONS : POSTGRES_RELATIONS,
  )
  const ownNames = await listOwnHistory(read)
  const names = found.map(({ name }) => name).filter((name) => !ownNames.includes(name))
  if (names.length === 0) return
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  const remedy =
    kind === 'sqlite'
      ? 'choose another data folder (--data)'
      : `give Weir a database of its own (${configOptions.database.flag.replace(/ <.*/, '')} or ${configOptions.database.env})`
  throw new StartError(
    `The database ${place} belongs to another program (it has ${names.slice(0, MAX_NAMED).join(', ')}${more}), and nothing was written to it: ${remedy}, or let Weir add its tables with ${configOptions.new_database.flag.replace(/<.*/, 'yes')} (${configOptions.new_database.env}=yes).`,
    undefined,
    'foreign',
  )
}

/** An interrupted first start leaves the empty tables of the history. Other programs have tables of that name, too. */
async function listOwnHistory(read: Database['read']): Promise<string[]> {
  const own: string[] = []
  for (const name of MIGRATION_HISTORY_TABLES) if (await isOwnHistory(read, name)) own.push(name)
  return own
}

/** True if the migration library created this table for Weir; another program's may have the same name. */
export const isOwnHistory = (read: Database['read'], table: string): Promise<boolean> =>
  Promise.resolve(read.schema.hasColumn(table, table.endsWith('_lock') ? 'is_locked' : 'migration_time'))

/**
 * Explains why Weir cannot create its tables next to those of another program.
 * @returns the error itself if it has another reason
 */
export function toTableConflict(error: unknown, database: Database): unknown {
  const { code, message = '' } = error as { code?: string; message?: string }
  const table =
    code === DUPLICATE_TABLE
      ? /relation "([^"]+)"/.exec(message)?.[1]
      : /(?:table|index) [`"]?([^\s`"]+)[`"]? already exists/.exec(message)?.[1]
  return table === undefined ? error : buildTableConflict(table, database, error)
}
const DUPLICATE_TABLE = '42P07'

export const buildTableConflict = (table: string, { place }: Database, cause?: unknown): StartError =>
  new StartError(
    `The database ${place} has a table of another program with a name that Weir needs (${table}): give Weir a database of its own.`,
    cause,
    'foreign',
  )
