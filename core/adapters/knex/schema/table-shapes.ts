// The tables of an open database, as its own catalogue describes them. New columns need no change here.
import type { Knex } from 'knex'
import type { Database } from '../connection/database.ts'

export interface ColumnShape {
  name: string
  /** The type's name in this database. */
  type: string
  kind: ColumnKind
}

/** The kind of a value, independent of the database's type name. */
type ColumnKind = 'whole' | 'real' | 'flag' | 'text'

export interface TableShape {
  name: string
  columns: ColumnShape[]
  /** The columns of the primary key, in its order. */
  key: ColumnShape[]
  /** Tables that its rows refer to. */
  parents: string[]
}

/** Tables written by the migration library, not by Weir. */
export const MIGRATION_HISTORY_TABLES = [
  'schema_migrations',
  'schema_migrations_lock',
  'schema_steps',
  'schema_steps_lock',
]

/** Returns the rows of a query, on either database. */
export async function queryDatabaseRows<Row>(
  from: Knex,
  sql: string,
  bound: readonly Knex.RawBinding[] = [],
): Promise<Row[]> {
  const result = (await from.raw(sql, bound)) as Row[] | { rows: Row[] }
  return Array.isArray(result) ? result : result.rows
}

/** Returns the names of all existing tables, including foreign ones. */
export const listTableNames = async ({ kind }: Pick<Database, 'kind'>, from: Knex): Promise<string[]> =>
  (
    await queryDatabaseRows<{ name: string }>(
      from,
      kind === 'sqlite'
        ? `select name from sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!' order by name`
        : `select relname as name from pg_class as tables where ${POSTGRES_TABLES} order by relname`,
    )
  ).map(({ name }) => name)

/** Returns all tables of Weir, parents first. @throws Error for a column of an unknown kind */
export async function readTableShapes(database: Pick<Database, 'kind'>, from: Knex): Promise<TableShape[]> {
  const names = (await listTableNames(database, from)).filter((name) => !MIGRATION_HISTORY_TABLES.includes(name))
  const columns = await queryDatabaseRows<Described>(
    from,
    database.kind === 'sqlite' ? SQLITE_COLUMNS : POSTGRES_COLUMNS,
  )
  const links = await queryDatabaseRows<{ name: string; parent: string }>(
    from,
    database.kind === 'sqlite' ? SQLITE_PARENTS : POSTGRES_PARENTS,
  )
  const shapes = names.map((name): TableShape => {
    const own = columns.filter(({ table }) => table === name)
    const shaped = own.map(({ column, type }) => ({ name: column, type, kind: getColumnKind(name, column, type) }))
    const key = own
      .filter(({ place }) => Number(place) > 0)
      .sort((a, b) => Number(a.place) - Number(b.place))
      .flatMap(({ column }) => shaped.find((each) => each.name === column) ?? [])
    if (key.length === 0) throw new Error(`the table ${name} has no primary key`)
    const parents = links.filter((link) => link.name === name && link.parent !== name).map(({ parent }) => parent)
    return { name, columns: shaped, key, parents }
  })
  return inOrder(shapes)
}

interface Described {
  table: string
  column: string
  type: string
  /** Position in the primary key, from 1; 0 if it is not in it. */
  place: number
}

const SQLITE_COLUMNS = `select tables.name as "table", columns.name as "column", columns.type, columns.pk as place
  from sqlite_master as tables join pragma_table_info(tables.name) as columns
  where tables.type = 'table' order by tables.name, columns.cid`

/** Excludes partitions. */
const POSTGRES_TABLES = `tables.relkind in ('r', 'p') and not tables.relispartition
  and tables.relnamespace = current_schema()::regnamespace`

const POSTGRES_COLUMNS = `select tables.relname as "table", columns.attname as "column",
    format_type(columns.atttypid, null) as type, coalesce(array_position(keys.indkey, columns.attnum) + 1, 0) as place
  from pg_class as tables
  join pg_attribute as columns on columns.attrelid = tables.oid and columns.attnum > 0 and not columns.attisdropped
  left join pg_index as keys on keys.indrelid = tables.oid and keys.indisprimary
  where ${POSTGRES_TABLES}
  order by tables.relname, columns.attnum`

const SQLITE_PARENTS = `select distinct tables.name, links."table" as parent
  from sqlite_master as tables join pragma_foreign_key_list(tables.name) as links where tables.type = 'table'`

const POSTGRES_PARENTS = `select distinct links.conrelid::regclass::text as name, links.confrelid::regclass::text as parent
  from pg_constraint as links where links.contype = 'f' and links.connamespace = current_schema()::regnamespace`

function getColumnKind(table: string, column: string, type: string): ColumnKind {
  if (/^(big)?int(eger)?$/i.test(type)) return 'whole'
  if (/^(float|double precision|real)$/i.test(type)) return 'real'
  if (/^bool(ean)?$/i.test(type)) return 'flag'
  if (/^(text|varchar|character varying)/i.test(type)) return 'text'
  // The history of the schema is never copied.
  if (MIGRATION_HISTORY_TABLES.includes(table)) return 'text'
  throw new Error(`nothing is known of the type ${type} of ${table}.${column}`)
}

function inOrder(shapes: TableShape[]): TableShape[] {
  const done: TableShape[] = []
  const isDone = (name: string) => done.some((shape) => shape.name === name)
  while (done.length < shapes.length) {
    const next = shapes.find(({ name, parents }) => !isDone(name) && parents.every(isDone))
    if (!next) throw new Error('the tables refer to each other in a circle')
    done.push(next)
  }
  return done
}
