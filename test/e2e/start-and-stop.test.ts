// The built server as a process: it stops without cutting anybody off, and what it cannot start with leaves no trace.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { install, within } from '../support/installation.ts'
import { freshDatabase, query } from '../support/postgres.ts'
import { startWeir, until, weir, type Ended } from '../support/terminal.ts'
import { chatStream, startUpstream, type TestUpstream } from '../support/upstream.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'

type Env = Record<string, string>
const MODEL = 'gpt-4o-mini'
const messages = [{ role: 'user' as const, content: 'Hello' }]

let folder = ''
let upstream: TestUpstream
const running = new Set<ReturnType<typeof startWeir>>()
beforeAll(async () => {
  upstream = await startUpstream()
})
afterAll(() => upstream.close())
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL')
    await ended
  }
  running.clear()
  await rm(folder, { recursive: true, force: true })
})

const newFolder = async () => (folder = await mkdtemp(join(tmpdir(), 'weir-process-')))

/** Starts the built server and waits until it says where it is. */
async function serve(env: Env) {
  const server = startWeir(['serve', '--json', '--port', '0'], { env: { LOG_LEVEL: 'warn', ...env } })
  running.add(server)
  await until(() => server.child.exitCode !== null || server.written.stdout.includes('"url"'), 30_000)
  const url = /"url":\s*"([^"]+)"/.exec(server.written.stdout)?.[1]
  if (!url) throw new Error(`it did not start: ${server.written.stderr}`)
  return { ...server, url }
}

/** An installation with a channel at the test upstream; gives the key of root's token. */
const setUp = (env: Env) => install(env, { type: 1, base_url: upstream.url, models: MODEL })
/** It opens and closes as it should. */
const opens = (env: Env) => within(env, async () => undefined)

it('serves all of it below a base path, and is spoken to by the terminal as ever', async () => {
  const env = { WEIR_DATA: await newFolder(), WEIR_BASE_PATH: '/ai/' }
  const apiKey = await setUp(env)
  const server = await serve(env)
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/ai$/)
  upstream.reply(chatStream(['Hello'], { prompt_tokens: 10, completion_tokens: 3 }, {}))
  const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey, maxRetries: 0 })
  expect((await client.models.list()).data.map(({ id }) => id)).toEqual([MODEL])
  const page = await fetch(`${server.url}/token`)
  expect(await page.text()).toContain('<base href="/ai/"')
  for (const path of ['/', '/v1/models', '/api/status', '/aix'])
    expect((await fetch(server.url.replace(/\/ai$/, path))).status).toBe(404)
  const opened = await weir(['open', 'channel', '--json'], { env })
  expect(JSON.parse(opened.stdout)).toMatchObject({ url: `${server.url}/channel` })
  const [remote, wrong] = await Promise.all([
    weir(['--server', server.url, 'status', '--json'], { env: { WEIR_LANGUAGE: 'en' } }),
    weir(['serve', '--base-path', '/a b'], { env: { WEIR_DATA: folder } }),
  ])
  expect(remote.stdout + remote.stderr).not.toMatch(/404/)
  expect(wrong.stderr).toContain('--base-path (WEIR_BASE_PATH) must be a path such as /ai')
})

describe.each(listDatabaseKinds())('a server on %s that is told to stop', (kind) => {
  const place = async (): Promise<Env> => ({
    WEIR_DATA: await newFolder(),
    ...(kind === 'postgres' ? { DATABASE_URL: await freshDatabase() } : {}),
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s finishes an open stream, charges it, and ends well',
    async (signal) => {
      const env = await place()
      const apiKey = await setUp(env)
      const server = await serve(env)
      const words = Array.from({ length: 15 }, (_, index) => `word ${index} `)
      upstream.reply(chatStream(words, { prompt_tokens: 100, completion_tokens: 30 }, { gap_ms: 40 }))
      const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey, maxRetries: 0 })
      const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true })
      let text = ''
      let told = 0
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? ''
        if (told === 0) {
          told = Date.now()
          server.child.kill(signal)
        }
      }
      const finished = Date.now()
      expect(text).toBe(words.join(''))
      expect(finished - told).toBeGreaterThan(400)
      const { code, stderr } = await server.ended
      expect({ code, stderr: stderr.replace(/\s*Stopping: .*/, '') }).toEqual({ code: 0, stderr: '' })
      // It does not wait for connections on which nothing happens.
      expect(Date.now() - finished).toBeLessThan(3000)

      const { books, items } = await within(env, async ({ client }) => {
        return { books: await client.quota.verify(), items: (await client.logs.list({ type: 2 })).items }
      })
      expect(books).toMatchObject({ ok: true, open_holds: 0 })
      expect(items).toHaveLength(1)
      expect(items[0]).toMatchObject({ prompt_tokens: 100, completion_tokens: 30 })
    },
  )

  it('lets nobody connect meanwhile, and does not wait for who only keeps a connection', async () => {
    const env = await place()
    const apiKey = await setUp(env)
    const server = await serve(env)
    upstream.reply(chatStream(['a', 'b', 'c'], { prompt_tokens: 1, completion_tokens: 1 }, { gap_ms: 500 }))
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey, maxRetries: 0 })
    await client.models.list()
    const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true })
    const read = (async () => {
      for await (const _ of stream);
    })()
    server.child.kill('SIGTERM')
    await sleep(300)
    await expect(once(connect(Number(new URL(server.url).port), '127.0.0.1'), 'connect')).rejects.toThrow(
      'ECONNREFUSED',
    )
    await read
    const start = Date.now()
    expect((await server.ended).code).toBe(0)
    expect(Date.now() - start).toBeLessThan(3000)
  })
})

describe('a server that cannot start', () => {
  /** One sentence on stderr, exit code 1, nothing on stdout. */
  function fails({ code, stdout, stderr }: Ended, message: RegExp): void {
    expect(stderr.trim()).toMatch(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr.trim()).toMatch(/\.$/)
    expect(stderr).not.toMatch(/\bat .*:\d+:\d+|Error:/)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  }
  const attempt = (env: Env, port = '0') => weir(['serve', '--port', port], { env: { LOG_LEVEL: 'warn', ...env } })

  it('because its port is in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const env = { WEIR_DATA: await newFolder() }
    fails(await attempt(env, String(port)), new RegExp(`^weir: Port ${port} on 127\\.0\\.0\\.1 is in use`))
    other.close()
    // It let go of the folder.
    await opens(env)
  })

  it('because its folder cannot be made', async () => {
    const file = join(await newFolder(), 'a-file')
    await writeFile(file, '')
    fails(
      await attempt({ WEIR_DATA: join(file, 'data') }),
      /The data folder .*a-file\/data cannot be used: a file is in the way/,
    )
    expect(await readdir(folder)).toEqual(['a-file'])
  })

  it('because another one has its folder', async () => {
    const env = { WEIR_DATA: await newFolder() }
    await serve(env)
    fails(await attempt(env), /is in use by another running Weir/)
  })

  it.each([
    ['with a word for an address', 'nonsense', /must be a postgres:\/\/ address/],
    ['where nothing answers', 'postgres://u:p@127.0.0.1:1/none', /nothing answers there/],
  ])('because of a database %s', async (_, DATABASE_URL, message) => {
    const WEIR_DATA = join(await newFolder(), 'data')
    fails(await attempt({ WEIR_DATA, DATABASE_URL }), message)
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
    fails(await wrong((url) => (url.pathname = '/no_such_database')), /there is no database "no_such_database"/)
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
      fails(
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
      fails(await attempt(env), /has lost its key file|does not fit this database/)
      expect(await readdir(env.WEIR_DATA!)).not.toContain('weir.key')
    })

    it('because a newer version took away what this one needs, and leaves the database as it is', async () => {
      const env: Env = { ...(await place()), WEIR_SECRET: 'the first secret of all' }
      await opens(env)
      const insert = `insert into schema_migrations (name, batch, migration_time) values ('9999-later.needs-9998', 9, current_timestamp)`
      await onDatabase(env, insert)
      fails(
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
    fails(await attempt({ WEIR_DATA, WEIR_SECRET: 'the first secret of all' }), /cannot be opened/)
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
