// The places where a log can be kept, each filled with rows: those of the release before, the homes that rows move to while calls
// go on, and PostgreSQL by month.
import { cp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WeirClient } from '../../core/contracts.ts'
import { query } from '../support/postgres.ts'
import { createVisitor } from '../support/server.ts'
import { CLICKHOUSE } from '../storage/log-homes.ts'
import { addOwners, fillLogs } from './fill-logs.ts'
import { startPostgres, type PostgresServer } from './postgres.ts'
import { BOTH_CORES, temporaryFolder } from './processes.ts'
import { install, ROOT_USER, serve, type Installation, type Served } from './weir.ts'
import { chatBody, type LoadResult, type World } from './world.ts'

export const CALLS_PER_SECOND = 500
const LOAD_SECONDS = 10

/** A filled installation that serves, and where its rows stand. */
export interface Filled {
  child: Served
  /** Bytes on disk of the rows and what finds them. */
  size(): Promise<number>
  /** Stops it, and gives the disk its room back. */
  end(): Promise<void>
  /** Rows brought a second, and the calls beside it; absent where rows were there before anybody served. */
  brought?: { rows_s: number; calls: LoadResult[] }
}

export interface LogPlace {
  name: string
  fill(): Promise<Filled>
}

interface Given {
  world: World
  rows: number
  /** A checkout of the release before, built. */
  before: string | undefined
}

/** By their names on the command line; ClickHouse where it is. */
export function logPlaces({ world, rows, before }: Given): Record<string, LogPlace> {
  let base: Promise<Installation> | undefined
  let postgres: Promise<PostgresServer> | undefined
  /** What was in a database before it was filled does not count. */
  let emptyBytes = 0

  async function filledBase(): Promise<Installation> {
    const own = await install('homes-base', world.provider.url)
    const owners = await addOwners(own)
    emptyBytes = await sizeOf(join(own.data, 'weir.db'))
    process.stderr.write(`filled in ${await fillLogs(own, rows, owners, { sums: false })} s\n`)
    return own
  }

  /** On SQLite, filled, and not served yet. */
  async function copied(): Promise<Installation> {
    const filled = await (base ??= filledBase())
    const data = await temporaryFolder('homes')
    await cp(filled.data, data, { recursive: true })
    return { ...filled, data }
  }

  const ending = (own: Installation, child: Served) => async () => {
    await child.stop()
    await rm(own.data, { recursive: true, force: true })
  }
  const database = async (name: string) => (await (postgres ??= startPostgres(BOTH_CORES))).database(name)
  const load = ({ address }: Served) =>
    world.load(
      { mode: 'rate', connections: 64, rate: CALLS_PER_SECOND, seconds: LOAD_SECONDS, body: chatBody(1024, '') },
      address,
      BOTH_CORES,
    )

  /** A home of its own: rows of the database move on there while calls go on. */
  const home = (name: string, address: string, size: (data: string) => Promise<number>): LogPlace => ({
    name,
    async fill() {
      const own = await copied()
      const child = await serve(own, BOTH_CORES, { more: ['--logs', address] })
      const root = await signedIn(child)
      const calls: LoadResult[] = []
      const began = Date.now()
      for (let place = 0; place < rows;) {
        calls.push(await load(child))
        place = (await root.logs.home()).place
        process.stderr.write(`${name}: ${place} rows after ${Math.round((Date.now() - began) / 1000)} s\n`)
      }
      const rows_s = rows / ((Date.now() - began) / 1000)
      return { child, size: () => size(own.data), end: ending(own, child), brought: { rows_s, calls } }
    },
  })

  const former = (root: string): Record<string, LogPlace> => ({
    'before-sqlite': {
      name: 'Release before, SQLite',
      async fill() {
        const own = await copied()
        const child = await serve(own, BOTH_CORES, { root })
        const size = async () => (await sizeOf(join(own.data, 'weir.db'))) - emptyBytes
        return { child, size, end: ending(own, child) }
      },
    },
    'before-postgres': {
      name: 'Release before, PostgreSQL',
      async fill() {
        const own = await install('homes-pg-before', world.provider.url, { database: await database('homes_before') })
        await fillLogs(own, rows, await addOwners(own), { sums: false })
        const child = await serve(own, BOTH_CORES, { root })
        return { child, size: () => sizeOfTables(own), end: ending(own, child) }
      },
    },
  })

  const table = `homes_${process.pid}`
  return {
    ...(before === undefined ? {} : former(before)),
    sqlite: home('SQLite file', 'sqlite:logs.db?days=0', (data) => sizeOf(join(data, 'logs.db'))),
    parquet: home('Parquet', 'parquet:logs?days=0', (data) => sizeOf(join(data, 'logs'))),
    ...(CLICKHOUSE === ''
      ? {}
      : {
          clickhouse: home('ClickHouse', `${CLICKHOUSE.replace(/^http/, 'clickhouse')}?table=${table}`, () =>
            sizeOfClickhouse(table),
          ),
        }),
    postgres: {
      name: 'PostgreSQL by month',
      async fill() {
        const own = await install('homes-pg', world.provider.url, { database: await database('homes') })
        const owners = await addOwners(own)
        const child = await serve(own, BOTH_CORES)
        const divided = `select 1 as n from pg_class where oid = 'logs'::regclass and relkind = 'p'`
        while ((await query(own.database!, divided)).length === 0) await sleep(500)
        const calls: LoadResult[] = []
        let over = false
        const began = Date.now()
        const filling = fillLogs(own, rows, owners, { sums: false }).finally(() => (over = true))
        while (!over) calls.push(await load(child))
        await filling
        const rows_s = rows / ((Date.now() - began) / 1000)
        return { child, size: () => sizeOfTables(own), end: ending(own, child), brought: { rows_s, calls } }
      },
    },
  }
}

/** The administrator. */
export async function signedIn({ address }: Served): Promise<WeirClient> {
  const visitor = createVisitor(`http://127.0.0.1:${address.port}`)
  await visitor.login(ROOT_USER.username, ROOT_USER.password)
  return visitor.client
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path)
  if (!found.isDirectory()) return found.size
  const sizes = await Promise.all((await readdir(path)).map((name) => sizeOf(join(path, name))))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function sizeOfClickhouse(table: string): Promise<number> {
  const { origin } = new URL(CLICKHOUSE)
  const asked = `select sum(bytes_on_disk) from system.parts where active and table = '${table}' format TSV`
  const answer = await fetch(origin, { method: 'POST', body: asked })
  if (!answer.ok) throw new Error(`ClickHouse: ${await answer.text()}`)
  return Number(await answer.text())
}

/** With its indexes, of all its parts. */
async function sizeOfTables({ database = '' }: Installation): Promise<number> {
  const [found] = await query<{ n: string }>(
    database,
    `select sum(pg_total_relation_size(oid)) as n from pg_class where relkind = 'r' and relname like 'logs%'`,
  )
  return Number(found?.n)
}
