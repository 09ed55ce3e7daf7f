// The built server as a process: it stops without cutting anybody off. Starts that fail leave no trace; most of them are played
// in this process, since a process takes a second to start.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { install, within } from '../support/installation.ts'
import { freshDatabase, query } from '../support/postgres.ts'
import { send } from '../support/server.ts'
import { runsAllTests } from '../support/suite.ts'
import { runHere, startWeir, until, weir, type Ended } from '../support/terminal.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

type Env = Record<string, string>
const MODEL = 'gpt-4o-mini'
const messages = [{ role: 'user' as const, content: 'Hello' }]

let folder = ''
const running = new Set<ReturnType<typeof startWeir>>()
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL')
    await ended
  }
  running.clear()
  await rm(folder, { recursive: true, force: true })
})

const newFolder = async () => (folder = await mkdtemp(join(tmpdir(), 'weir-process-')))

/** Starts the built server and waits until it reports its address. */
async function serve(env: Env) {
  const server = startWeir(['serve', '--json', '--port', '0'], { env: { LOG_LEVEL: 'warn', ...env } })
  running.add(server)
  await until(() => server.child.exitCode !== null || server.written.stdout.includes('"url"'))
  const url = /"url":\s*"([^"]+)"/.exec(server.written.stdout)?.[1]
  if (!url) throw new Error(`it did not start: ${server.written.stderr}`)
  return { ...server, url }
}

/** Opens and closes the installation, which fails if another process still has it. */
const opens = (env: Env) => within(env, async () => undefined)

/** A provider that sends the first word of an answer, and the others once it is told to. */
async function startPausingProvider(words: readonly string[]) {
  const waiting: ServerResponse[] = []
  const chunk = (fields: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...fields })}\n\n`
  const say = (content: string) => chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
  const server = createHttpServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(say(words[0] ?? ''))
    waiting.push(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    finish() {
      const usage = { prompt_tokens: 100, completion_tokens: 30, total_tokens: 130 }
      for (const response of waiting.splice(0)) {
        for (const word of words.slice(1)) response.write(say(word))
        response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
        response.end(`${chunk({ choices: [], usage })}data: [DONE]\n\n`)
      }
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A connection that has been opened and asks nothing; `request` asks once before. */
async function openConnection(url: URL, request = ''): Promise<void> {
  const socket = connect(Number(url.port), '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  if (request === '') return
  socket.write(request)
  await once(socket, 'data')
}

/** Waits until nobody can connect any more. */
async function waitForRefusal({ port }: URL): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(20)) {
    const socket = connect(Number(port), '127.0.0.1')
    const error = await once(socket, 'connect').catch((reason: NodeJS.ErrnoException) => reason)
    socket.destroy()
    if (!Array.isArray(error) && error.code === 'ECONNREFUSED') return
  }
  throw new Error('it goes on listening')
}

const signals = runsAllTests ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const)

describe.each(listDatabaseKinds())('a server on %s below a base path', (kind) => {
  it.each(signals)('serves, and when %s comes finishes the open stream, charges it, and ends', async (signal) => {
    const words = Array.from({ length: 15 }, (_, index) => `word ${index} `)
    const provider = await startPausingProvider(words)
    const env: Env = {
      WEIR_DATA: await newFolder(),
      WEIR_BASE_PATH: '/ai/',
      ...(kind === 'postgres' ? { DATABASE_URL: await freshDatabase() } : {}),
    }
    const apiKey = await install(env, { type: 1, base_url: provider.url, models: MODEL })
    const server = await serve(env)
    const address = new URL(server.url)
    await checkBasePath(server.url, env)

    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey, maxRetries: 0 })
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual([MODEL])
    const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true })
    // Neither of them is waited for: Node would keep them for 65 s.
    await openConnection(address)
    await openConnection(address, 'GET /ai/api/status HTTP/1.1\r\nhost: weir\r\n\r\n')
    let text = ''
    for await (const chunk of stream) {
      if (text === '') {
        server.child.kill(signal)
        await waitForRefusal(address)
        expect(server.child.exitCode).toBeNull()
        provider.finish()
      }
      text += chunk.choices[0]?.delta.content ?? ''
    }
    expect(text).toBe(words.join(''))
    await until(() => server.child.exitCode !== null, 30_000)
    const { code, stderr } = await server.ended
    expect({ code, stderr: stderr.replace(/\s*Stopping: .*/, '') }).toEqual({ code: 0, stderr: '' })
    provider.close()

    const { books, items } = await within(env, async ({ client }) => {
      return { books: await client.quota.verify(), items: (await client.logs.list({ type: 2 })).items }
    })
    expect(books).toMatchObject({ ok: true, open_holds: 0 })
    expect(items).toMatchObject([{ prompt_tokens: 100, completion_tokens: 30 }])
  })
})

/** All of it is served below the path and nothing beside it, and the commands of this machine find it there. */
async function checkBasePath(url: string, env: Env): Promise<void> {
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/ai$/)
  const page = await fetch(`${url}/token`)
  expect(await page.text()).toContain('<base href="/ai/"')
  for (const path of ['/', '/v1/models', '/api/status', '/aix'])
    expect((await send('GET', url.replace(/\/ai$/, path))).status).toBe(404)
  const opened = await runHere(['open', 'channel', '--json'], { env })
  expect(JSON.parse(opened.stdout)).toMatchObject({ url: `${url}/channel` })
  const remote = await runHere(['--server', url, 'status', '--json'], { env: { WEIR_LANGUAGE: 'en' } })
  expect(remote).toMatchObject({ code: 0, stderr: '' })
  const wrong = await runHere(['serve', '--base-path', '/a b'], { env: { WEIR_DATA: folder } })
  expect(wrong.stderr).toContain('--base-path (WEIR_BASE_PATH) must be a path such as /ai')
}

describe('a server that cannot start', () => {
  /** One sentence on stderr, exit code 1, nothing on stdout. */
  function expectFailure({ code, stdout, stderr }: Ended, message: RegExp): void {
    expect(stderr.trim()).toMatch(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr.trim()).toMatch(/\.$/)
    expect(stderr).not.toMatch(/\bat .*:\d+:\d+|Error:/)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  }
  const attempt = (env: Env) => runHere(['serve', '--port', '0'], { env: { LOG_LEVEL: 'warn', ...env } })

  it('because its port is in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const env = { WEIR_DATA: await newFolder() }
    // As a process: what it writes and how it ends is seen from outside.
    const ended = await weir(['serve', '--port', String(port)], { env: { LOG_LEVEL: 'warn', ...env } })
    expectFailure(ended, new RegExp(`^weir: Port ${port} on 127\\.0\\.0\\.1 is in use`))
    other.close()
    // It let go of the folder.
    await opens(env)
  })

  it('because its folder cannot be made', async () => {
    const file = join(await newFolder(), 'a-file')
    await writeFile(file, '')
    expectFailure(
      await attempt({ WEIR_DATA: join(file, 'data') }),
      /The data folder .*a-file\/data cannot be used: a file is in the way/,
    )
    expect(await readdir(folder)).toEqual(['a-file'])
  })

  it('because another one has its folder', async () => {
    const env = { WEIR_DATA: await newFolder() }
    await within(env, async () => expectFailure(await attempt(env), /is in use by another running Weir/))
  })

  it.each([
    ['with a word for an address', 'nonsense', /must be a postgres:\/\/ address/],
    ['where nothing answers', 'postgres://u:p@127.0.0.1:1/none', /nothing answers there/],
  ])('because of a database %s', async (_, DATABASE_URL, message) => {
    const WEIR_DATA = join(await newFolder(), 'data')
    expectFailure(await attempt({ WEIR_DATA, DATABASE_URL }), message)
    expect(existsSync(join(WEIR_DATA, 'weir.key'))).toBe(false)
  })

  it('because the database or its password is wrong', async () => {
    const good = new URL(await freshDatabase())
    const WEIR_DATA = await newFolder()
    const wrong = (change: (url: URL) => void) => {
      const url = new URL(good)
      change(url)
      return attempt({ WEIR_DATA, DATABASE_URL: url.href })
    }
    expectFailure(await wrong((url) => (url.pathname = '/no_such_database')), /there is no database "no_such_database"/)
    expect(await readdir(WEIR_DATA)).toEqual([])
  })

  describe.each(listDatabaseKinds())('on %s', (kind) => {
    const place = async (): Promise<Env> => ({
      WEIR_DATA: await newFolder(),
      ...(kind === 'postgres' ? { DATABASE_URL: await freshDatabase() } : {}),
    })

    it('because the secret is not the one of the database', async () => {
      const env: Env = { ...(await place()), WEIR_SECRET: 'the first secret of all' }
      await opens(env)
      expectFailure(
        await attempt({ ...env, WEIR_SECRET: 'another secret altogether' }),
        /The master secret does not fit this database/,
      )
      await opens(env)
      expect(await readdir(env.WEIR_DATA!)).not.toContain('weir.key')
    })

    it('because its key file is lost', async () => {
      const env = await place()
      await opens(env)
      await rm(join(env.WEIR_DATA!, 'weir.key'))
      expectFailure(await attempt(env), /has lost its key file|does not fit this database/)
      expect(await readdir(env.WEIR_DATA!)).not.toContain('weir.key')
    })

    it('because a newer version took away what this one needs, and leaves the database as it is', async () => {
      const env: Env = { ...(await place()), WEIR_SECRET: 'the first secret of all' }
      await opens(env)
      const insert = `insert into schema_migrations (name, batch, migration_time) values ('9999-later.needs-9998', 9, current_timestamp)`
      await onDatabase(env, insert)
      expectFailure(
        await attempt(env),
        /was changed by a newer version of Weir, which took away what this one needs \(9999-later\.needs-9998\)/,
      )
      await onDatabase(env, `delete from schema_migrations where name = '9999-later.needs-9998'`)
      await opens(env)
    })
  })

  it('because its files are no database', async () => {
    const WEIR_DATA = await newFolder()
    await chmod(WEIR_DATA, 0o700)
    const content = 'this is no database, but it is long enough to look like one'.repeat(100)
    await writeFile(join(WEIR_DATA, 'weir.db'), content, { mode: 0o600 })
    expectFailure(await attempt({ WEIR_DATA, WEIR_SECRET: 'the first secret of all' }), /cannot be opened/)
  })
})

async function onDatabase(env: Env, sql: string): Promise<void> {
  if (env.DATABASE_URL) return void (await query(env.DATABASE_URL, sql))
  const { default: sqlite3 } = await import('sqlite3')
  await new Promise<void>((resolve, reject) => {
    const database = new sqlite3.Database(join(env.WEIR_DATA!, 'weir.db'))
    database.exec(sql, (error) => database.close(() => (error ? reject(error) : resolve())))
  })
}
