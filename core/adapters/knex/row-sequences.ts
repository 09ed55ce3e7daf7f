// The next ids of new rows: they continue after the last one ever assigned, even if its row is gone.
import type { Knex } from 'knex'
import type { Database } from './database.ts'
import { HISTORY_TABLES, queryRows } from './table-shapes.ts'

interface Sequence {
  name: string
  /** The last assigned id; 0 for none. */
  last: number | string
}

/** Copies the sequences of the source to the target. */
export async function copySequences(
  { kind, from }: { kind: Database['kind']; from: Knex },
  { kind: target, write }: Database,
): Promise<void> {
  const found = kind === 'sqlite' ? await ofSqlite(from) : await ofPostgres(from)
  for (const { name, last } of found.filter((each) => !HISTORY_TABLES.includes(each.name))) {
    if (target === 'sqlite') {
      await write.transaction(async (transaction) => {
        await transaction.raw('delete from sqlite_sequence where name = ?', [name])
        await transaction.raw('insert into sqlite_sequence (name, seq) values (?, ?)', [name, last])
      })
    } else {
      const own = (await ownedSequences(write)).find((each) => each.table === name)
      if (own)
        await write.raw('select setval(?::regclass, greatest(?::bigint, 1), ?::bigint > 0)', [own.sequence, last, last])
    }
  }
}

const ofSqlite = (from: Knex) =>
  queryRows<Sequence>(from, 'select name, cast(seq as text) as last from sqlite_sequence')

async function ofPostgres(from: Knex): Promise<Sequence[]> {
  const found: Sequence[] = []
  for (const { table, sequence } of await ownedSequences(from)) {
    const text = `select case when is_called then last_value else 0 end as last from ${sequence}`
    found.push({ name: table, last: (await queryRows<{ last: number }>(from, text))[0]?.last ?? 0 })
  }
  return found
}

/** Lists sequences that belong to a column, with its table. */
const ownedSequences = (from: Knex) =>
  queryRows<{ table: string; sequence: string }>(
    from,
    `select tables.relname as "table", owned.objid::regclass::text as sequence
     from pg_depend as owned join pg_class as sequences on sequences.oid = owned.objid and sequences.relkind = 'S'
     join pg_class as tables on tables.oid = owned.refobjid
     where owned.deptype in ('a', 'i') and tables.relnamespace = current_schema()::regnamespace`,
  )
