// SQLite moves old rows of the log to a file next to the database automatically; backups and copies include them.
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sqlite3 from 'sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStorage } from '../../core/adapters/knex/index.ts'
import { asRoot, type Environment } from '../support/built-server.ts'
import { ports } from '../support/databases.ts'
import { eventually } from '../support/gateway.ts'
import { install, whileServing } from '../support/installation.ts'
import { freshDatabase, query } from '../support/postgres.ts'
import { runHere } from '../support/terminal.ts'
import { newLog } from '../storage/samples.ts'

const OLD = 2500
const NEW = 5
const DAY = 86_400
const SECRET = 'a secret for tests'

let room: string
const at = (name: string) => join(room, name)
const envOf = (data: string, more: Environment = {}) => ({ WEIR_DATA: at(data), WEIR_SECRET: SECRET, ...more })

beforeEach(async () => {
  room = await mkdtemp(join(tmpdir(), 'weir-own-file-'))
})
afterEach(() => rm(room, { recursive: true, force: true }))

/** An installation whose log has rows of three days ago and of today. */
async function fill(env: Environment): Promise<void> {
  const storage = await openStorage({ ...ports(), folder: env.WEIR_DATA ?? '' })
  const now = Math.floor(Date.now() / 1000)
  const row = (n: number) =>
    newLog({ content: `row ${n}`, quota: n, created_at: n < OLD ? now - 3 * DAY + (n >> 3) : now })
  for (let n = 0; n < OLD + NEW; n += 500)
    await storage.databaseLogs.insert(Array.from({ length: Math.min(500, OLD + NEW - n) }, (_, at) => row(n + at)))
  await storage.close()
  await install(env)
}

const count = (file: string, where = 'true') =>
  new Promise<number>((resolve, reject) => {
    const database = new sqlite3.Database(file, sqlite3.OPEN_READONLY)
    database.get<{ n: number }>(
      `select count(*) as n from logs where ${where} and content like 'row %'`,
      (error, row) => {
        database.close()
        if (error) reject(error)
        else resolve(row.n)
      },
    )
  })

async function run(args: string[], env: Environment): Promise<string> {
  const { code, stdout, stderr } = await runHere(args, { env })
  expect(code, stderr).toBe(0)
  return stdout
}

/** Signs in as the administrator of a server, once all old rows have moved into the file. */
async function signInOnceMoved(url: string) {
  const { client } = await asRoot(url)
  await eventually(client.logs.home, ({ place }) => place >= OLD, 120_000)
  return client
}
type Client = Awaited<ReturnType<typeof signInOnceMoved>>

it('moves what is older than a day, and is backed up, restored and copied whole', { timeout: 240_000 }, async () => {
  await fill(envOf('data'))
  const sums = async ({ logs }: Client) => ({
    stat: await logs.stat({}),
    oldest: (await logs.list({ p: 26, page_size: 100 })).items.at(-1),
  })
  const before = await whileServing(envOf('data'), async (url) => {
    const client = await signInOnceMoved(url)
    expect(await client.logs.home()).toMatchObject({ home: 'sqlite:logs.db', place: OLD })
    expect(await count(at('data/logs.db'))).toBe(OLD)
    expect((await stat(at('data/logs.db'))).mode & 0o777).toBe(0o600)
    await run(['backup', at('state.weir')], envOf('data'))
    return sums(client)
  })
  expect(before.oldest?.content).toBe('row 0')
  await compacts()
  const { tables } = JSON.parse(await run(['restore', at('state.weir'), '--json'], envOf('again')))
  expect(tables.logs).toBeGreaterThanOrEqual(OLD + NEW)
  expect(await count(at('again/weir.db'))).toBe(OLD + NEW)
  expect(await whileServing(envOf('again'), async (url) => sums(await signInOnceMoved(url)))).toEqual(before)

  for (const to of ['copied', await freshDatabase()]) {
    const target = to.startsWith('postgres') ? to : at(to)
    await run(['copy', '--to', target], envOf('again'))
    const found = to.startsWith('postgres')
      ? Number((await query<{ n: string }>(to, `select count(*) as n from logs where content like 'row %'`))[0]?.n)
      : await count(at('copied/weir.db'))
    expect(found).toBe(OLD + NEW)
  }
})

it('puts a file aside that a restored database would not know', { timeout: 120_000 }, async () => {
  await fill(envOf('data'))
  await whileServing(envOf('data'), async (url) => {
    await signInOnceMoved(url)
    await run(['backup', at('state.weir')], envOf('data'))
  })
  for (const name of (await readdir(at('data'))).filter((each) => /^weir\.db|^journal/.test(each)))
    await rm(at(`data/${name}`), { recursive: true })
  await run(['restore', at('state.weir')], envOf('data'))
  const aside = (await readdir(at('data'))).filter((name) => /^logs\.db\.\d+$/.test(name))
  expect(aside).toHaveLength(1)
  expect(await count(at(`data/${aside[0]}`))).toBe(OLD)
  await whileServing(envOf('data'), signInOnceMoved)
  expect(await count(at('data/logs.db'))).toBe(OLD)
})

it('keeps all rows in the database for who wants that', { timeout: 120_000 }, async () => {
  const env = envOf('data', { WEIR_LOGS: 'database' })
  await fill(env)
  await whileServing(env, async (url) => {
    const { client } = await asRoot(url)
    expect(await client.logs.home()).toMatchObject({ home: '', place: 0 })
  })
  expect(await readdir(at('data'))).not.toContain('logs.db')
})

/** What is removed leaves room in both files; their rows stay. */
async function compacts(): Promise<void> {
  const sizes = async () =>
    Promise.all(['weir.db', 'logs.db'].map(async (name) => (await stat(at(`data/${name}`))).size))
  await sql(at('data/weir.db'), 'delete from logs where id <= 2000')
  await sql(at('data/logs.db'), `delete from logs where id > 2000`)
  const before = await sizes()
  const made = JSON.parse(await run(['compact', '--json'], envOf('data')))
  const after = await sizes()
  expect(made.map((each: { after: number }) => each.after)).toEqual(after)
  for (const [at, size] of after.entries()) expect(size).toBeLessThan(before[at] ?? 0)
  expect(
    (await runHere(['compact'], { env: envOf('data', { DATABASE_URL: 'postgres://nobody@127.0.0.1/none' }) })).stderr,
  ).toMatch(/autovacuum/)
}

const sql = (file: string, text: string) =>
  new Promise<void>((resolve, reject) => {
    const database = new sqlite3.Database(file)
    // Closed, for the file has its size once the last connection has written the write-ahead log into it.
    database.exec(text, (error) =>
      database.close((unclosed) => (error || unclosed ? reject(error ?? unclosed!) : resolve())),
    )
  })
