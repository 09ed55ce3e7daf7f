// The mark of a database that a copy is being written to. It prevents an incomplete copy from being served, and stores
// the progress for a resume.
import type { Knex } from 'knex'
import { StartError } from '../../start-error.ts'
import type { Database } from '../connection/database.ts'
import type { RowKeyPosition } from '../sql/row-pages.ts'
import type { RunSql } from '../sql/statements.ts'

const TABLE = 'unfinished_copy'

export const isUnfinished = (database: Knex): Promise<boolean> => Promise.resolve(database.schema.hasTable(TABLE))

/** @throws StartError if a copy into this database is incomplete */
export async function refuseUnfinished(database: Knex): Promise<void> {
  if (!(await isUnfinished(database))) return
  throw new StartError(
    'This database is a copy that has not come to its end: run `weir copy` or `weir restore` again, which goes on with it.',
    undefined,
    'unfinished',
  )
}

export async function markUnfinished(database: Knex): Promise<void> {
  await database.schema.createTable(TABLE, (table) => {
    table.text('name').primary()
    table.text('place').notNullable()
  })
}

/** Returns the progress of each table, as the key of its last row. */
export async function loadProgress(database: Knex): Promise<Map<string, RowKeyPosition>> {
  const rows = await database<{ name: string; place: string }>(TABLE).select()
  return new Map(rows.map(({ name, place }) => [name, JSON.parse(place) as string[]]))
}

/** Must run inside the transaction that writes the rows. */
export async function saveProgress(
  kind: Database['kind'],
  run: RunSql,
  name: string,
  place: RowKeyPosition,
): Promise<void> {
  const bound = kind === 'sqlite' ? '?, ?' : '$1, $2'
  await run(
    `insert into ${TABLE} (name, place) values (${bound}) on conflict (name) do update set place = excluded.place`,
    [name, JSON.stringify(place)],
  )
}

export const resetProgress = (database: Knex): Promise<unknown> => Promise.resolve(database(TABLE).delete())

export const markFinished = (database: Knex): Promise<void> => Promise.resolve(database.schema.dropTable(TABLE))

/** True for the table of the mark itself. */
export const isMarkTable = (table: string): boolean => table === TABLE
