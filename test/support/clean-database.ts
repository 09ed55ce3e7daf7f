// PostgreSQL databases that one test after another uses: to copy the template takes more than most tests do. A database that
// cannot be shown to be as the template is dropped instead.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { dropDatabase, migratedDatabase } from './postgres.ts'

/** Everything but rows: a test that changes any of it has a database that nobody else gets. */
const SHAPE = `
  select md5(string_agg(part, E'\\n' order by part)) as shape from (
    select concat_ws(' ', c.relname, c.relkind, c.relispartition, a.attname, a.atttypid, a.attnotnull, a.atthasdef, a.attisdropped) as part
      from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', indexrelid::regclass, indkey, indisunique, indisvalid)
      from pg_index join pg_class on pg_class.oid = indexrelid where relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', conname, conrelid::regclass, contype) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select concat_ws(' ', tgname, tgrelid::regclass, tgenabled) from pg_trigger where not tgisinternal
    union all select concat_ws(' ', proname, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'analyzed', starelid::regclass) from pg_statistic join pg_class on pg_class.oid = starelid
      where relnamespace = 'public'::regnamespace
    union all select nspname from pg_namespace where nspname !~ '^pg_'
    union all select concat_ws(' ', 'setting', setrole, setconfig) from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database())
  ) parts`
/** Tables that have a file, even if every row has been deleted again. */
const USED = `
  select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0 order by relname`
const SEQUENCES = `select quote_ident(sequencename) as name, last_value from pg_sequences where schemaname = 'public' order by 1`
const OTHERS = `
  select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
/** The storage that was closed last may take so long to leave. */
const LEAVING = { times: 50, pause_ms: 10 }

interface Pristine {
  shape: string
  /** What the migrations themselves insert, as JSON by table. */
  rows: Map<string, string>
  sequences: Map<string, string | null>
}

const clean: string[] = []
let pristine: Promise<Pristine> | undefined

/** A migrated database without rows of another test. */
export async function takeDatabase(): Promise<string> {
  const kept = clean.pop()
  if (kept !== undefined) return kept
  const url = await migratedDatabase()
  await (pristine ??= connected(url, readPristine))
  return url
}

/** Puts a database back for the next test. Nobody may be connected. */
export async function giveDatabaseBack(url: string): Promise<void> {
  const isClean = await connected(url, restore).catch(() => false)
  if (isClean) clean.push(url)
  else await dropDatabase(url)
}

async function restore(client: pg.Client): Promise<boolean> {
  const before = await pristine
  if (!before || !(await isAlone(client)) || (await readShape(client)) !== before.shape) return false
  const used = (await client.query<{ name: string }>(USED)).rows.map(({ name }) => name)
  if (used.length > 0) await client.query(`truncate ${used.map(pg.escapeIdentifier).join(', ')} cascade`)
  for (const [table, rows] of before.rows) {
    const name = pg.escapeIdentifier(table)
    await client.query(`insert into ${name} select * from json_populate_recordset(null::${name}, $1)`, [rows])
  }
  for (const { name, last_value } of (await client.query<Sequence>(SEQUENCES)).rows) {
    const value = before.sequences.get(name) ?? null
    if (value !== last_value) await client.query('select setval($1, $2, $3)', [name, value ?? 1, value !== null])
  }
  return true
}

async function isAlone(client: pg.Client): Promise<boolean> {
  for (let turn = 0; turn < LEAVING.times; turn += 1) {
    const [others] = (await client.query<{ count: number }>(OTHERS)).rows
    if (others?.count === 0) return true
    await sleep(LEAVING.pause_ms)
  }
  return false
}

async function readPristine(client: pg.Client): Promise<Pristine> {
  const rows = new Map<string, string>()
  for (const { name } of (await client.query<{ name: string }>(USED)).rows) {
    const all = `select coalesce(json_agg(one), '[]')::text as rows from ${pg.escapeIdentifier(name)} one`
    const [found] = (await client.query<{ rows: string }>(all)).rows
    rows.set(name, found?.rows ?? '[]')
  }
  const sequences = (await client.query<Sequence>(SEQUENCES)).rows
  return {
    shape: await readShape(client),
    rows,
    sequences: new Map(sequences.map(({ name, last_value }) => [name, last_value])),
  }
}

interface Sequence {
  name: string
  last_value: string | null
}

const readShape = async (client: pg.Client): Promise<string> =>
  (await client.query<{ shape: string }>(SHAPE)).rows[0]?.shape ?? ''

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return work(client).finally(() => client.end())
}
