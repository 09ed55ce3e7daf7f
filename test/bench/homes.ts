// Where the rows of a log are kept: what each place takes on disk, how fast rows come there while calls go on, and how fast it is
// asked, beside the release before, which has all of them in the database.
//
//   sh test/storage/clickhouse.sh npx tsx test/bench/homes.ts [--rows 10000000] [--before FOLDER] [--only sqlite,…] [--write]
//
// Without ClickHouse beside it (test/storage/clickhouse.sh) that place is left out; `--before` is a checkout that was built.
import { cp, readdir, stat, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { request } from 'undici'
import type { WeirClient } from '../../core/contracts.ts'
import { createVisitor } from '../support/server.ts'
import { query } from '../support/postgres.ts'
import { CLICKHOUSE } from '../storage/log-homes.ts'
import { spread } from './bars.ts'
import { addOwners, fillLogs, NAMES, type Owners } from './fill-logs.ts'
import { startPostgres, type PostgresServer } from './postgres.ts'
import { BOTH_CORES, guarded, temporaryFolder } from './processes.ts'
import { machine, table } from './report.ts'
import { build, install, ROOT_USER, serve, type Installation, type Served } from './weir.ts'
import { chatBody, openWorld, type LoadResult, type World } from './world.ts'

const PAGE = new URL('HOMES.md', import.meta.url)
const CALLS_PER_SECOND = 500
const ROUNDS = 3
const LOAD_SECONDS = 10
const DAY = 86_400
const EXPORTED_DAYS = 3

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    before: { type: 'string' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
  },
})
const rows = Number(options.rows)
const now = Math.floor(Date.now() / 1000)

/** A filled installation, and where its rows stand. */
interface Filled {
  child: Served
  /** Bytes on disk of the rows and what finds them. */
  size(): Promise<number>
  /** Rows brought a second, and the calls beside it; absent where rows were there before anybody served. */
  brought?: { rows_s: number; calls: LoadResult[] }
}

interface Place {
  name: string
  fill(ports: Ports): Promise<Filled>
}

interface Ports {
  world: World
  /** On SQLite, filled, and not served yet. */
  base(): Promise<Installation>
  postgres(): Promise<PostgresServer>
}

const sizeOf = async (path: string): Promise<number> => {
  const found = await stat(path)
  if (!found.isDirectory()) return found.size
  const sizes = await Promise.all((await readdir(path)).map((name) => sizeOf(join(path, name))))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** What was in a database before it was filled does not count. */
let emptyBytes = 0

const PLACES: Record<string, Place> = {
  ...(options.before === undefined
    ? {}
    : {
        'before-sqlite': {
          name: 'Release before, SQLite',
          async fill({ base }: Ports) {
            const own = await copied(await base())
            const child = await serve(own, BOTH_CORES, { root: options.before! })
            return { child, size: async () => (await sizeOf(join(own.data, 'weir.db'))) - emptyBytes }
          },
        },
        'before-postgres': {
          name: 'Release before, PostgreSQL',
          async fill({ world, postgres }: Ports) {
            const database = await (await postgres()).database('homes_before')
            const own = await install('homes-pg-before', world.provider.url, { database })
            await fillLogs(own, rows, await addOwners(own), { sums: false })
            return {
              child: await serve(own, BOTH_CORES, { root: options.before! }),
              size: () => sizeOfTables(database),
            }
          },
        },
      }),
  sqlite: home(
    'SQLite file',
    () => 'sqlite:logs.db?days=0',
    (data) => sizeOf(join(data, 'logs.db')),
  ),
  parquet: home(
    'Parquet',
    () => 'parquet:logs?days=0',
    (data) => sizeOf(join(data, 'logs')),
  ),
  ...(CLICKHOUSE === '' ? {} : { clickhouse: home('ClickHouse', clickhouseAddress, sizeOfClickhouse) }),
  postgres: {
    name: 'PostgreSQL by month',
    async fill({ world, postgres }) {
      const database = await (await postgres()).database('homes')
      const own = await install('homes-pg', world.provider.url, { database })
      const owners = await addOwners(own)
      const child = await serve(own, BOTH_CORES)
      const divided = `select 1 as n from pg_class where oid = 'logs'::regclass and relkind = 'p'`
      while ((await query(database, divided)).length === 0) await sleep(500)
      const calls: LoadResult[] = []
      let over = false
      const began = Date.now()
      const filling = fillLogs(own, rows, owners, { sums: false }).finally(() => (over = true))
      while (!over) calls.push(await load(world, child))
      await filling
      return {
        child,
        size: () => sizeOfTables(database),
        brought: { rows_s: rows / ((Date.now() - began) / 1000), calls },
      }
    },
  },
}

/** A home of its own: rows of the database move on there while calls go on. */
function home(name: string, address: () => string, size: (data: string) => Promise<number>): Place {
  return {
    name,
    async fill({ world, base }) {
      const own = await copied(await base())
      const child = await serve(own, BOTH_CORES, { more: ['--logs', address()] })
      const root = await signedIn(child, ROOT_USER.username, ROOT_USER.password)
      const calls: LoadResult[] = []
      const began = Date.now()
      for (let place = 0; place < rows;) {
        calls.push(await load(world, child))
        place = (await root.logs.home()).place
        process.stderr.write(`${name}: ${place} rows after ${Math.round((Date.now() - began) / 1000)} s\n`)
      }
      return {
        child,
        size: () => size(own.data),
        brought: { rows_s: rows / ((Date.now() - began) / 1000), calls },
      }
    },
  }
}

const TABLE = `homes_${process.pid}`
function clickhouseAddress(): string {
  return `${CLICKHOUSE.replace(/^http/, 'clickhouse')}?table=${TABLE}`
}

async function sizeOfClickhouse(): Promise<number> {
  const { origin } = new URL(CLICKHOUSE)
  const asked = `select sum(bytes_on_disk) from system.parts where active and table = '${TABLE}' format TSV`
  const answer = await fetch(origin, { method: 'POST', body: asked })
  if (!answer.ok) throw new Error(`ClickHouse: ${await answer.text()}`)
  return Number(await answer.text())
}

/** With its indexes, of all its parts. */
async function sizeOfTables(database: string): Promise<number> {
  const [found] = await query<{ n: string }>(
    database,
    `select sum(pg_total_relation_size(oid)) as n from pg_class where relkind = 'r' and relname like 'logs%'`,
  )
  return Number(found?.n)
}

async function copied(base: Installation): Promise<Installation> {
  const data = await temporaryFolder('homes')
  await cp(base.data, data, { recursive: true })
  return { ...base, data }
}

const load = (world: World, { address }: Served) =>
  world.load(
    { mode: 'rate', connections: 64, rate: CALLS_PER_SECOND, seconds: LOAD_SECONDS, body: chatBody(1024, '') },
    address,
    BOTH_CORES,
  )

async function signedIn({ address }: Served, username: string, password: string): Promise<WeirClient> {
  const visitor = createVisitor(`http://127.0.0.1:${address.port}`)
  await visitor.login(username, password)
  return visitor.client
}

const looks: Record<string, (root: WeirClient) => Promise<unknown>> = {
  'first page': (root) => root.logs.list({ page_size: 100 }),
  'page of a user with a thousandth': (root) => root.logs.list({ username: 'light', page_size: 100 }),
  'page of a rare model': (root) => root.logs.list({ model_name: NAMES.rareModel, page_size: 100 }),
  'page of a rare model of a user, ten days': (root) =>
    root.logs.list({
      ...{ username: 'heavy', model_name: NAMES.rareModel, page_size: 100 },
      ...{ start_timestamp: now - 20 * DAY, end_timestamp: now - 10 * DAY },
    }),
  'page of a day a month ago': (root) =>
    root.logs.list({ start_timestamp: now - 29 * DAY, end_timestamp: now - 28 * DAY, page_size: 100 }),
  'figures of a month': (root) => root.logs.stat({ start_timestamp: now - 31 * DAY }),
  'figures of a month, a user with a third': (root) => root.logs.stat({ username: 'heavy' }),
  'figures of a month, a rare model': (root) => root.logs.stat({ model_name: NAMES.rareModel }),
}

interface Result {
  name: string
  bytes: number
  brought?: Filled['brought']
  /** ms of each round. */
  reads: Map<string, number[]>
  exported_s: number
  exported: number
}

async function measured(name: string, { child, size, brought }: Filled): Promise<Result> {
  const root = await signedIn(child, ROOT_USER.username, ROOT_USER.password)
  const reads = new Map<string, number[]>()
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [what, look] of Object.entries(looks)) {
      const began = performance.now()
      await look(root)
      reads.set(what, [...(reads.get(what) ?? []), performance.now() - began])
    }
  const began = performance.now()
  const exported = await linesOf(child, {
    start_timestamp: now - (20 + EXPORTED_DAYS) * DAY,
    end_timestamp: now - 20 * DAY,
  })
  const exported_s = (performance.now() - began) / 1000
  return { name, bytes: await size(), brought, reads, exported, exported_s }
}

/** How many lines an export of these rows has. */
async function linesOf({ address }: Served, span: Record<string, number>): Promise<number> {
  const url = `http://127.0.0.1:${address.port}`
  const visitor = createVisitor(url)
  const { json } = await visitor.login(ROOT_USER.username, ROOT_USER.password)
  const asked = new URLSearchParams({ format: 'jsonl' })
  for (const [name, value] of Object.entries(span)) asked.set(name, String(value))
  const { statusCode, body } = await request(`${url}/api/log/export?${asked.toString()}`, {
    headers: { cookie: visitor.cookie(), 'new-api-user': String(json?.data?.id) },
    bodyTimeout: 0,
    headersTimeout: 0,
  })
  if (statusCode !== 200) throw new Error(`the export was answered ${statusCode}: ${await body.text()}`)
  let lines = 0
  for await (const piece of body as AsyncIterable<Uint8Array>) for (const byte of piece) if (byte === 10) lines += 1
  return lines
}

await guarded(async () => {
  if (!options['no-build']) build()
  const before = loadavg()[0] ?? 0
  const world = await openWorld()
  let base: Promise<Installation> | undefined
  let postgres: Promise<PostgresServer> | undefined
  const ports: Ports = {
    world,
    base: () => (base ??= filledBase(world)),
    postgres: () => (postgres ??= startPostgres(BOTH_CORES)),
  }
  const results: Result[] = []
  const only = options.only?.split(',')
  for (const [key, place] of Object.entries(PLACES)) {
    if (only && !only.includes(key)) continue
    const filled = await place.fill(ports)
    try {
      results.push(await measured(place.name, filled))
    } finally {
      await filled.child.stop()
    }
    process.stderr.write(`\n${page(results, before)}\n`)
  }
  if (options.write)
    await writeFile(PAGE, `# Where ${rows.toLocaleString('en')} rows of a log are kept\n\n${page(results, before)}\n`)
})

async function filledBase(world: World): Promise<Installation> {
  const own = await install('homes-base', world.provider.url)
  const owners: Owners = await addOwners(own)
  emptyBytes = await sizeOf(join(own.data, 'weir.db'))
  process.stderr.write(`filled in ${await fillLogs(own, rows, owners, { sums: false })} s\n`)
  return own
}

function page(results: Result[], loadBefore: number): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en')
  const line = (what: string, show: (result: Result) => string) => [what, ...results.map(show)]
  const ms = (of: Result, what: string) => {
    const { median, max } = spread(of.reads.get(what) ?? [])
    return `${whole(median)} (${whole(max)})`
  }
  const calls = ({ brought }: Result, show: (calls: LoadResult[]) => string) => (brought ? show(brought.calls) : '-')
  const most = (each: LoadResult[], of: 'p50_ms' | 'p99_ms' | 'max_ms') =>
    whole(spread(each.map((one) => one[of])).median)
  return [
    table([
      line('', ({ name }) => name),
      line('on disk, MB', ({ bytes }) => whole(bytes / 1e6)),
      line('bytes a row', ({ bytes }) => whole(bytes / rows)),
      line(`rows a second that came there, beside ${CALLS_PER_SECOND} calls a second`, ({ brought }) =>
        brought ? whole(brought.rows_s) : '-',
      ),
      line('those calls', (each) => calls(each, (all) => whole(all.reduce((sum, one) => sum + one.calls, 0)))),
      line('those calls, failed', (each) =>
        calls(each, (all) => whole(all.reduce((sum, one) => sum + one.errors + one.lost + one.refused, 0))),
      ),
      line('those calls, p50 ms', (each) => calls(each, (all) => most(all, 'p50_ms'))),
      line('those calls, p99 ms', (each) => calls(each, (all) => most(all, 'p99_ms'))),
      ...Object.keys(looks).map((what) => line(`${what}, ms`, (each) => ms(each, what))),
      line(`export of ${EXPORTED_DAYS} days, rows a second`, ({ exported, exported_s }) =>
        whole(exported / exported_s),
      ),
      line('rows exported', ({ exported }) => whole(exported)),
    ]),
    `${rows.toLocaleString('en')} rows of 30 days. Rows of a home of its own are moved there out of the database; those of PostgreSQL by month are written by one other connection. What has moved goes from the database a minute later, beside what is measured then. Pages have 100 rows; medians of ${ROUNDS} (longest), over HTTP. Gateway, database, provider and load shared both cores. The machine's load was ${loadBefore.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} after.`,
    `Machine: ${machine()}.\nTo repeat: \`sh test/storage/clickhouse.sh npx tsx test/bench/homes.ts --before FOLDER --write\`, where FOLDER is the release before, built.`,
  ].join('\n\n')
}
