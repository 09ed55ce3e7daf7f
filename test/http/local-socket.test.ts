// The terminal's way into a server of its host, on both databases.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { connectToRunning } from '../../cli/connection/connect.ts'
import { findExposedFiles } from '../../cli/doctor/host.ts'
import { openGateway, socketPath } from '../../core/adapters/node.ts'
import type { Config } from '../../core/config.ts'
import { startServer } from '../../http/start.ts'
import { freshDatabase } from '../support/postgres.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function place(database?: string): Promise<Config> {
  const data = await mkdtemp(join(tmpdir(), 'weir-socket-'))
  cleanups.push(() => rm(data, { recursive: true, force: true }))
  const shared = database === undefined ? {} : { database }
  return { host: '127.0.0.1', port: 0, data, log_level: 'silent', log_format: 'json', secret: 'a secret', ...shared }
}

async function serve(config: Config, before = async () => {}) {
  const gateway = await openGateway(config)
  await before()
  const server = await startServer(gateway, config)
  let stopped: Promise<void> | undefined
  const close = () => (stopped ??= server.close())
  cleanups.push(close)
  return { url: server.url, close }
}

const behind = async (config: Config) => (await connectToRunning(socketPath(config), 'en'))?.address()

/** What a process that was killed leaves. */
async function leaveSocket(path: string): Promise<void> {
  const listening = `require('node:net').createServer().listen(process.argv[1], () => console.log('there'))`
  const child = spawn(process.execPath, ['-e', listening, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect((await stat(path)).isSocket()).toBe(true)
}

describe.each(listDatabaseKinds())('the socket of a server on %s', (kind) => {
  const database = async () => (kind === 'postgres' ? freshDatabase() : undefined)

  it('lets the owner of the folder in as the super administrator, and goes with the server', async () => {
    const config = await place(await database())
    await leaveSocket(socketPath(config))
    expect(await behind(config)).toBeUndefined()
    const server = await serve(config)
    expect(await behind(config)).toBe(server.url)
    expect((await stat(socketPath(config))).mode & 0o777).toBe(0o600)
    expect(await findExposedFiles(config.data)).toMatchObject([{ state: 'ok' }])
    const { client } = (await connectToRunning(socketPath(config), 'en'))!
    await client.site.setup({ username: 'root', password: 'a password', confirmPassword: 'a password' })
    expect((await client.users.list()).items).toMatchObject([{ username: 'root' }])
    await server.close()
    expect((await readdir(config.data)).filter((name) => name.endsWith('.sock'))).toEqual([])
  })
})

describe('the socket of servers that share a folder', () => {
  it('is of the first of one database, and another for another database', async () => {
    const config = await place(await freshDatabase())
    const first = await serve(config)
    const second = await serve(config)
    expect(await behind(config)).toBe(first.url)
    const { database = '', ...own } = config
    const asked = new URL(database)
    asked.password = 'another one'
    expect(socketPath({ ...config, database: asked.href })).toBe(socketPath(config))
    const other = { ...own, database: await freshDatabase(), new_database: 'yes' as const }
    for (const elsewhere of [own, other]) expect(await behind(elsewhere)).toBeUndefined()
    const third = await serve(other)
    expect([await behind(other), await behind(config)]).toEqual([third.url, first.url])
    await first.close()
    expect(await behind(config)).toBeUndefined()
    expect((await fetch(`${second.url}/api/status`)).status).toBe(200)
  })

  it('is done without where the folder takes none', async () => {
    const config = await place(await freshDatabase())
    const server = await serve(config, () => rm(config.data, { recursive: true }))
    expect(await behind(config)).toBeUndefined()
    expect((await fetch(`${server.url}/api/status`)).status).toBe(200)
  })
})
