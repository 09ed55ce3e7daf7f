// Steps of the schema only add, so that the previous release can serve on the same database, and can be returned to.
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../core/adapters/knex/connection/database.ts'
import { listAppliedSteps, migrateDatabase } from '../../core/adapters/knex/schema/migrate.ts'
import { openDatabase } from '../../core/adapters/knex/schema/open.ts'
import { queryDatabaseRows } from '../../core/adapters/knex/schema/table-shapes.ts'
import { migrations } from '../../migrations/index.ts'
import { ports } from '../support/databases.ts'
import { freshDatabase } from '../support/postgres.ts'
import { migrateUpTo } from './former-release.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

/** The first release knows every step up to here, and no second table of the history. */
const LAST_OF_FIRST = '0051-dead-letters'

interface Column {
  table: string
  name: string
  type: string
  /** An insert that does not name it fails. */
  asked: boolean
}

const COLUMNS = {
  sqlite: `select tables.name as "table", columns.name as name, columns.type as type,
      columns."notnull" = 1 and columns.dflt_value is null and columns.pk = 0 as asked
    from sqlite_master as tables join pragma_table_info(tables.name) as columns
    where tables.type = 'table' and tables.name not like 'schema!_%' escape '!'`,
  postgres: `select table_name as "table", column_name as name, data_type as type,
      is_nullable = 'NO' and column_default is null and is_identity = 'NO' as asked
    from information_schema.columns
    where table_schema = current_schema() and table_name not like 'schema!_%' escape '!'`,
}

const columnsOf = async ({ kind, read }: Database) =>
  (await queryDatabaseRows<Column>(read, COLUMNS[kind])).map((each) => ({ ...each, asked: Boolean(each.asked) }))

describe.each(listDatabaseKinds())('steps behind the first release on %s', { timeout: 120_000 }, (kind) => {
  let folder: string
  let database: Database
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-expand-'))
    const place = kind === 'postgres' ? { database: await freshDatabase() } : { folder }
    database = await openDatabase({ ...place, ...ports() })
  })
  afterEach(async () => {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('leave every column as that release knows it, and ask for none that it does not', async () => {
    await migrateUpTo(database, LAST_OF_FIRST)
    const before = await columnsOf(database)
    await migrateDatabase(database)
    const after = await columnsOf(database)
    const takes = migrations.find(({ name }) => name.includes('.needs-'))
    expect(takes, 'compare with the release before it from then on').toBeUndefined()
    const known = new Set(before.map(({ table }) => table))
    const kept = ({ table, name }: Column) => before.find((each) => each.table === table && each.name === name)
    expect(after.filter(kept)).toEqual(expect.arrayContaining(before))
    expect(after.filter((each) => known.has(each.table) && each.asked && !kept(each))).toEqual([])
  })

  it('stand in a table of their own, all of them in order', async () => {
    await migrateDatabase(database)
    const names = migrations.map(({ name }) => name)
    expect(await listAppliedSteps(database.read)).toEqual(names)
    const first = await database.read<{ name: string }>('schema_migrations').orderBy('id').pluck('name')
    expect(first.at(-1)).toBe(LAST_OF_FIRST)
    expect(names.every((name, at) => Number(name.split('-', 1)[0]) === at + 1)).toBe(true)
  })
})

/** First digits of the SHA-256 of SQLite's schema behind these steps, as the releases and the 62 single steps of before made it. */
const SCHEMAS = {
  '0022-usage-index': '16f93df8a5fa50f0',
  '0054-journal-places': 'fc385652bd27d087',
  '0062-key-digests': 'c9d1b4ae42be3460',
}

it('an applied step never changes: a correction is a new step', async () => {
  const made: Record<string, string> = {}
  for (const last of Object.keys(SCHEMAS)) {
    const database = await openDatabase({ memory: true, ...ports() })
    await migrateUpTo(database, last)
    made[last] = await digestSchema(database).finally(() => database.close())
  }
  expect(made).toEqual(SCHEMAS)
})

async function digestSchema({ read }: Database): Promise<string> {
  const parts = await read<{ type: string; name: string; sql: string | null }>('sqlite_master')
    .whereRaw("tbl_name not like 'schema!_%' escape '!' and name not like 'sqlite!_%' escape '!'")
    .orderBy(['type', 'name'])
    .select('type', 'name', 'sql')
  const text = parts.map(({ type, name, sql }) => `${type} ${name} ${sql?.replace(/["`\s]/g, '')}`).join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
