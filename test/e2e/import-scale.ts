// A made-up database of new-api with 1,000 users, 3,000 keys and 100,000 rows of the log, moved into a new Weir: how long it
// takes, and with --kill whether it ends right when it is killed again and again.
//
//   npx tsx test/e2e/import-scale.ts [--source sqlite|postgres|mariadb] [--into sqlite|postgres] [--logs 100000] [--kill 10]
//
// PostgreSQL comes with `npm ci`; MariaDB is Debian's, which is installed where apt-get may.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import knexFactory, { type Knex } from 'knex'
import { openImportSource } from '../../core/adapters/imports/index.ts'
import { openGateway } from '../../core/adapters/node.ts'
import { importSource } from '../../cli/import-run.ts'
import { NEW_API_TABLES } from '../imports/new-api-source.ts'
import { hasMariadb, MARIADB_PACKAGES, startMariadb } from '../support/mariadb.ts'
import { databaseOfScript } from '../support/postgres-server.ts'

const { values } = parseArgs({
  options: {
    source: { type: 'string', default: 'sqlite' },
    into: { type: 'string', default: 'sqlite' },
    logs: { type: 'string', default: '100000' },
    users: { type: 'string', default: '1000' },
    keys: { type: 'string', default: '3000' },
    kill: { type: 'string', default: '0' },
    // How the script runs itself: one import of a place into a folder or a database.
    place: { type: 'string', default: '' },
    data: { type: 'string', default: '' },
    database: { type: 'string', default: '' },
  },
})

const config = (data: string, database: string) => ({
  ...{ host: '127.0.0.1', port: 0, data, log_level: 'silent' as const, log_format: 'json' as const },
  ...{ secret: 'a secret for tests of scale', ...(database ? { database } : {}) },
})

async function importOnce(place: string, data: string, database: string) {
  const gateway = await openGateway(config(data, database))
  const source = await openImportSource(place)
  try {
    const result = await importSource(gateway.client, source, { product: 'new-api', dry_run: false })
    const { ok } = await gateway.client.quota.verify()
    return { result, ok }
  } finally {
    await source.close()
    await gateway.close()
  }
}

const ROWS_AT_ONCE = 500
const text = (at: number, length: number) => at.toString(36).padStart(length, '0')

async function fill(knex: Knex, quote: (sql: string) => string): Promise<void> {
  for (const [table, columns] of Object.entries(NEW_API_TABLES))
    await knex.raw(quote(`create table "${table}" (${columns})`))
  const [users, keys, logs] = [Number(values.users), Number(values.keys), Number(values.logs)]
  const many = (count: number, row: (at: number) => object) => Array.from({ length: count }, (_, at) => row(at + 1))
  const put = (table: string, rows: object[]) => knex.batchInsert(table, rows, Math.min(ROWS_AT_ONCE, 40))
  await put(
    'users',
    many(users, (id) => ({
      ...{ id, username: `person${id}`, password: '', display_name: `Person ${id}`, role: 1, status: 1, email: '' },
      ...{
        quota: id * 1000,
        used_quota: id,
        request_count: 1,
        group: id % 3 ? 'default' : 'vip',
        aff_code: text(id, 4),
      },
      ...{ inviter_id: id > 1 ? 1 : 0, setting: '' },
    })),
  )
  await put(
    'channels',
    many(20, (id) => ({
      ...{ id, type: 1, key: `sk-${id}`, status: 1, name: `channel ${id}`, base_url: 'http://127.0.0.1:1' },
      ...{ models: 'gpt-4o,gpt-4o-mini', group: 'default,vip', created_time: 1_700_000_000 },
    })),
  )
  await put(
    'tokens',
    many(keys, (id) => ({
      ...{
        id,
        user_id: (id % users) + 1,
        key: text(id, 48),
        status: 1,
        name: `key ${id}`,
        created_time: 1_700_000_000,
      },
      ...{ expired_time: -1, remain_quota: 0, unlimited_quota: 1, used_quota: 5, model_limits_enabled: 0 },
    })),
  )
  await put(
    'logs',
    many(logs, (id) => ({
      ...{
        id,
        user_id: (id % users) + 1,
        created_at: 1_700_000_000 + id * 20,
        type: 2,
        username: `person${(id % users) + 1}`,
      },
      ...{
        token_name: 'key',
        model_name: id % 2 ? 'gpt-4o' : 'gpt-4o-mini',
        quota: 10,
        prompt_tokens: 7,
        completion_tokens: 3,
      },
      ...{ use_time: 1, is_stream: id % 2, channel_id: (id % 20) + 1, token_id: (id % keys) + 1, group: 'default' },
      other: '{"model_ratio":1,"group_ratio":1,"completion_ratio":1,"model_price":-1,"frt":12}',
    })),
  )
}

async function madeSource(folder: string): Promise<{ place: string; gone(): Promise<void> }> {
  const nothing = async () => undefined
  if (values.source === 'sqlite') {
    const place = path.join(folder, 'one-api.db')
    const knex = knexFactory({ client: 'sqlite3', connection: { filename: place }, useNullAsDefault: true })
    await knex.raw('pragma synchronous = off')
    await fill(knex, (sql) => sql)
    await knex.destroy()
    return { place, gone: nothing }
  }
  if (values.source === 'postgres') {
    const { url, gone } = await postgresDatabase()
    const knex = knexFactory({ client: 'pg', connection: url })
    // It knows neither of these names; a flag is a boolean there.
    await fill(knex, (sql) => sql.replaceAll('datetime', 'timestamptz'))
    await knex.destroy()
    return { place: url, gone }
  }
  if (!hasMariadb())
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...MARIADB_PACKAGES], { stdio: 'ignore' })
  if (!hasMariadb())
    throw new Error(`MariaDB is not to be had: apt-get install ${MARIADB_PACKAGES.join(' ')} did not bring it`)
  const mariadb = await startMariadb()
  const place = await mariadb.database('source')
  const knex = knexFactory({
    client: 'mysql2',
    connection: { socketPath: new URL(place).searchParams.get('socket') ?? '', user: 'root', database: 'source' },
  })
  await fill(knex, (sql) => sql.replaceAll('"', '`'))
  await knex.destroy()
  return { place, gone: () => mariadb.close() }
}

async function postgresDatabase(): Promise<{ url: string; gone(): Promise<void> }> {
  const name = `import_${Date.now()}_${Math.floor(Math.random() * 1000)}`
  const server_url = postgres.database ?? ''
  const server = knexFactory({ client: 'pg', connection: server_url })
  await server.raw(`create database ${name}`)
  const url = new URL(server_url)
  url.pathname = `/${name}`
  return {
    url: url.href,
    async gone() {
      await server.raw(`drop database ${name} with (force)`)
      await server.destroy()
    },
  }
}

/** Runs this script as the import, and kills it after so many ms; true where it was quicker. */
async function killed(place: string, data: string, database: string, ms: number): Promise<boolean> {
  const own = ['--import', 'tsx', import.meta.filename, '--place', place, '--data', data, '--database', database]
  const child = spawn(process.execPath, own, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const first = await Promise.race([ended, sleep(ms, 'late' as const)])
  if (first !== 'late') return first === 0
  child.kill('SIGKILL')
  await ended
  return false
}

const postgres = await databaseOfScript(
  !values.place && [values.source, values.into].includes('postgres') ? 'postgres' : 'sqlite',
)
const folder = await mkdtemp(path.join(tmpdir(), 'weir-scale-'))
if (values.place) {
  await importOnce(values.place, values.data, values.database)
} else {
  const data = path.join(folder, 'data')
  const begun = Date.now()
  const source = await madeSource(folder)
  const into = values.into === 'postgres' ? await postgresDatabase() : null
  const database = into?.url ?? ''
  process.stdout.write(`made the source on ${values.source} in ${Date.now() - begun} ms\n`)
  let kills = 0
  for (; kills < Number(values.kill); kills += 1) {
    const ms = 1500 + Math.random() * 6000
    if (await killed(source.place, data, database, ms)) break
    process.stdout.write(`killed after ${Math.round(ms)} ms\n`)
  }
  const started = Date.now()
  const { result, ok } = await importOnce(source.place, data, database)
  const ms = Date.now() - started
  process.stdout.write(`imported into ${values.into} in ${ms} ms; the books ${ok ? 'hold' : 'DO NOT HOLD'}\n`)
  for (const { kind, ...rows } of result.counts) process.stdout.write(`${kind} ${JSON.stringify(rows)}\n`)
  const again = await importOnce(source.place, data, database)
  const more = again.result.counts.filter(({ came, changed }) => came + changed > 0)
  process.stdout.write(
    more.length === 0 ? 'a second run brought nothing\n' : `a second run brought ${JSON.stringify(more)}\n`,
  )
  const gateway = await openGateway(config(data, database))
  const rows = await gateway.client.logs.list({ type: 2, page_size: 1 })
  const { rows: used } = await gateway.client.usage.query({ from: '1600000000', to: '1800000000', by: 'model' })
  process.stdout.write(
    `log rows at least ${rows.total}; usage counts ${used.reduce((sum, row) => sum + row.calls, 0)} calls\n`,
  )
  await gateway.close()
  await source.gone()
  await into?.gone()
  if (!ok || more.length > 0) process.exitCode = 1
}
await rm(folder, { recursive: true, force: true })
await postgres.stop()
