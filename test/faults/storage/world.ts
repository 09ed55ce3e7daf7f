// A built Weir, one process or two, with a provider, a caller with plenty, and storage that things can happen to.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { addAccount, asRoot, logged, setUp, startBuiltServer, type BuiltServer } from '../../support/built-server.ts'
import { startCutProxy, type CutProxy } from '../../support/cut-proxy.ts'
import type { PostgresServer } from '../../support/postgres-server.ts'
import type { Visitor } from '../../support/server.ts'
import { startUpstream } from '../../support/upstream.ts'
import { createProvider, MODEL, startLoad, type Load, type SeenCall } from './load.ts'

/** Whatever is still owed is booked within this, in ms. */
const BOOKED_MS = 60_000
const PLENTY = 1_000_000_000_000
const OWNER = 'weir'
/** Calls a second at each process, where nobody says another number. */
const RATE = 5

export interface World {
  kind: 'sqlite' | 'postgres'
  /** sqlite: the database file. */
  file: string
  /** What a failing disk is told. */
  disk(told: string): Promise<void>
  /** postgres: the way to it, and its administrator's connection. */
  proxy: CutProxy
  server: PostgresServer
  admin(sql: string): Promise<unknown>
  /** The same in the database of this Weir. */
  inside(sql: string): Promise<unknown>
  database: string
  servers: BuiltServer[]
  load: Load
  /** How long the charge that has waited longest has, at whichever process, in ms; 0 where none waits. */
  owed_ms(): Promise<number>
  /** What the processes have said so far. */
  said(): string
  /** Compares callers, provider, log, ledger and balances once calls have ended; gives what does not add up. */
  compare(): Promise<string[]>
  close(): Promise<void>
}

interface Options {
  processes: 1 | 2
  /** Calls a second at each. */
  rate?: number
  /** PostgreSQL; SQLite without. */
  server?: PostgresServer
  /** A library that lets the disk fail. */
  failing?: string
}

let made = 0

export async function openWorld({ processes, server, failing, rate = RATE }: Options): Promise<World> {
  const room = await mkdtemp(join(tmpdir(), 'weir-storage-'))
  const told = join(room, 'told')
  await writeFile(told, '-')
  const database = `faults_${++made}`
  const proxy = server && (await startCutProxy(Number(new URL(server.url).port)))
  const admin = (sql: string, at = server?.url ?? '') => run(at, sql)
  if (server && proxy) await prepare(admin, database)
  const address = server && new URL(server.url)
  if (address && proxy) {
    address.port = String(proxy.port)
    address.username = OWNER
    address.pathname = `/${database}`
  }
  const inner = server && new URL(server.url)
  if (inner) inner.pathname = `/${database}`

  const folders = Array.from({ length: processes }, (_, at) => join(room, `data-${at}`))
  const env = (folder: string) => ({
    WEIR_DATA: folder,
    WEIR_SECRET: 'a secret for the faults of storage',
    LOG_LEVEL: 'info',
    ...(address ? { DATABASE_URL: address.href } : {}),
    ...(failing ? { LD_PRELOAD: failing, DISK_FAULT: told } : {}),
  })
  const upstream = await startUpstream()
  const { answerer, answered } = createProvider()
  upstream.reply(answerer)
  const servers: BuiltServer[] = []
  for (const folder of folders) servers.push(await startBuiltServer(env(folder)))
  const first = servers[0] as BuiltServer
  const root = await setUp(env(folders[0] ?? ''), first.url)
  await root.client.settings.update({
    options: [
      { key: 'ModelRatio', value: JSON.stringify({ [MODEL]: 1 }) },
      { key: 'CompletionRatio', value: JSON.stringify({ [MODEL]: 1 }) },
      { key: 'ApiRateLimits', value: JSON.stringify({ login: [0, 60], api: [0, 60] }) },
    ],
  })
  await root.client.channels.create({ name: 'one', type: 1, key: 'k', base_url: upstream.url, models: MODEL })
  const { id, visitor } = await addAccount(root, first.url, 'ada', PLENTY)
  const token = await visitor.client.tokens.create({ name: 'faults', unlimited_quota: true })
  const load = startLoad(
    servers.map(({ url }) => url),
    `sk-${token.key}`,
    rate,
  )

  // Signed in once: whoever tries again and again is taken for somebody who guesses.
  const roots = await Promise.all(servers.map(({ url }) => asRoot(url)))
  async function longestOwed(): Promise<number> {
    const waiting = await Promise.all(roots.map(({ client }) => client.quota.pending()))
    return Math.max(...waiting.map(({ waiting: { waited_ms } }) => waited_ms))
  }
  return {
    kind: server ? 'postgres' : 'sqlite',
    file: join(folders[0] ?? '', 'weir.db'),
    disk: (way) => writeFile(told, way, { flag: 'r+' }),
    proxy: proxy as CutProxy,
    server: server as PostgresServer,
    admin,
    inside: (sql) => admin(sql, inner?.href),
    database,
    servers,
    load,
    owed_ms: longestOwed,
    said: () => servers.map(({ written }) => written.stdout + written.stderr).join('\n'),
    async compare() {
      await load.stop()
      for (const until = Date.now() + BOOKED_MS; Date.now() < until && (await longestOwed()) > 0;) await sleep(100)
      const [{ client }] = roots as [Visitor]
      const rows = (await logged(client, 'faults')).filter(({ type }) => type === 2)
      const { quota } = await client.users.get({ id })
      const { ok, open_holds, faults } = await client.quota.verify({})
      const { refused } = await client.quota.pending()
      return [
        ...compareCalls(load.calls, answered, rows),
        ...(PLENTY - quota === sum(rows) ? [] : [`the balance lost ${PLENTY - quota}, the log says ${sum(rows)}`]),
        ...(ok ? [] : [`the books are wrong: ${JSON.stringify(faults)}`]),
        ...(open_holds === 0 ? [] : [`${open_holds} holds are open`]),
        ...(refused.length === 0 ? [] : [`${refused.length} charges were refused`]),
        ...servers.flatMap(({ child }, at) => (child.exitCode === null ? [] : [`process ${at} ended`])),
      ]
    },
    async close() {
      await load.stop()
      for (const { child, ended } of servers) {
        child.kill('SIGKILL')
        await ended
      }
      await upstream.close()
      await proxy?.close()
      await rm(room, { recursive: true, force: true })
    },
  }
}

async function run(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  // A server that ends says so to everybody.
  client.on('error', () => undefined)
  await client.connect()
  return client.query(sql).finally(() => client.end())
}

/** An owner who is nobody special, as in production. */
async function prepare(admin: (sql: string) => Promise<unknown>, database: string): Promise<void> {
  await admin(
    `do $$ begin create role ${OWNER} login password 'test'; exception when duplicate_object then null; end $$`,
  )
  await admin(`create database ${database} owner ${OWNER}`)
}

interface Row {
  request_id: string
  quota: number
}

const sum = (rows: readonly Row[]) => rows.reduce((total, { quota }) => total + quota, 0)

/** Work that was done is charged once, in full; what was not done costs nothing. */
function compareCalls(calls: readonly SeenCall[], answered: ReadonlySet<number>, rows: readonly Row[]): string[] {
  const problems: string[] = []
  const byCost = new Map<number, number>()
  const ids = new Set<string>()
  for (const { request_id, quota } of rows) {
    byCost.set(quota, (byCost.get(quota) ?? 0) + 1)
    if (ids.has(request_id)) problems.push(`${request_id} is charged twice`)
    ids.add(request_id)
  }
  for (const { cost, saw, status, retry_after, request_id, code } of calls) {
    const times = byCost.get(cost) ?? 0
    const of = `call ${request_id} of ${cost} (${saw} ${status} ${code})`
    if (times > 1) problems.push(`${of} is charged ${times} times`)
    if (times === 0 && answered.has(cost)) problems.push(`${of} was answered by the provider and is not charged`)
    if (times === 1 && !answered.has(cost)) problems.push(`${of} is charged and was never answered`)
    if (saw === 'refused' && (status !== 503 || retry_after === '')) problems.push(`${of} is refused otherwise`)
  }
  const known = new Set(calls.map(({ cost }) => cost))
  for (const { quota } of rows) if (!known.has(quota)) problems.push(`a charge of ${quota} is nobody's`)
  return problems
}
