// The built command as people and scripts meet it. What a command prints and its code are the same in this process
// (`runHere`); a process of its own (`weir`) takes a second and a half to start, and is for what only a process shows: the
// built files, real streams, exit codes and signals. `npm test` fails where test/cli starts more than ten of them.
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openGateway } from '../../core/adapters/node.ts'
import { readConfig } from '../../core/adapters/read-config.ts'
import { startServer } from '../../http/start.ts'
import { freePort } from '../support/free-port.ts'
import { whileServing } from '../support/installation.ts'
import { freshDatabase } from '../support/postgres.ts'
import { recordingModules, runHere, startWeir, until, weir, type Ended } from '../support/terminal.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'weir-binary-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const variables = (name: string, more: Record<string, string> = {}) => ({ WEIR_DATA: path.join(folder, name), ...more })
const json = <T = Record<string, unknown>>({ stdout }: Pick<Ended, 'stdout'>) => JSON.parse(stdout) as T

/** One sentence, nothing on standard output, and an exit code: 1 unless a value is wrong. */
function expectSentence(ended: Ended, sentence: RegExp, code = 1) {
  expect(ended.stderr).toMatch(sentence)
  expect(ended.stderr.trim().split('\n')).toHaveLength(1)
  expect([ended.code, ended.stdout]).toEqual([code, ''])
}

async function serve(name: string, args: string[] = []) {
  const port = await freePort()
  const started = startWeir(['serve', '--port', String(port), ...args], { env: variables(name) })
  await until(() => started.written.stdout.includes(`http://127.0.0.1:${port}`) || started.child.exitCode !== null)
  return { ...started, url: `http://127.0.0.1:${port}` }
}

describe('from nothing to a working Weir, without a terminal', { timeout: 120_000 }, () => {
  const env = () => variables('script')

  it('sets up with one command and prints all of it', async () => {
    const args = ['init', '--yes', '--json', '--port', '4999', '--password', '-']
    const result = await weir(args, { env: env(), input: 'a password by pipe\n' })
    expect(result).toMatchObject({ code: 0, stderr: '' })
    expect(json(result)).toMatchObject({
      already_set_up: false,
      username: 'root',
      password: null,
      token_key: expect.stringMatching(/^sk-\w{48}$/),
      base_url: 'http://127.0.0.1:4999/v1',
      data: env().WEIR_DATA,
      channels: [{ id: 1, name: 'Sandbox (answers offline)' }],
    })
  })

  it('stays as it is when set up again, unless flags ask for something else', async () => {
    const again = await runHere(['init', '--yes', '--json'], { env: env() })
    expect(again.code).toBe(0)
    expect(json(again)).toMatchObject({ already_set_up: true, data: env().WEIR_DATA })
    expectSentence(
      await runHere(['init', '--password', 'another password'], { env: env() }),
      /already set up.*root has another password/,
    )
    expectSentence(await runHere(['init', '--mode', 'demo'], { env: env() }), /its mode is external/)
  })

  it('lists, adds, shows and verifies in JSON', async () => {
    const channels = json<{ id: number }[]>(await runHere(['channels', 'list', '--json'], { env: env() }))
    expect(channels).toHaveLength(1)
    expect(channels[0]).not.toHaveProperty('key')
    const token = await runHere(['tokens', 'add', '--name', 'script', '--quota', '5000', '--json'], { env: env() })
    expect(json(token)).toMatchObject({ name: 'script', remain_quota: 5000, unlimited_quota: false })
    expect(json<unknown[]>(await runHere(['logs', 'list', '--json'], { env: env() }))).toBeInstanceOf(Array)
    expect(json(await runHere(['call', 'quota.verify'], { env: env() }))).toMatchObject({ ok: true, faults: [] })
    expect(json<unknown[]>(await runHere(['channels', 'test', '--json'], { env: env() }))).toMatchObject([
      { result: 'ok' },
    ])
  })

  it('changes a setting and reads it back', async () => {
    expect((await runHere(['settings', 'set', 'RetryTimes', '4'], { env: env() })).stdout).toBe('RetryTimes is now 4\n')
    expect((await runHere(['settings', 'get', 'RetryTimes'], { env: env() })).stdout).toBe('4\n')
    expectSentence(await runHere(['settings', 'set', 'RetryTimes', 'often'], { env: env() }), /RetryTimes/, 2)
    expect((await runHere(['settings', 'list', '--changed', '--quiet'], { env: env() })).stdout).toContain('RetryTimes')
  })

  it('deletes with --yes only', async () => {
    const { stdout } = await runHere(['tokens', 'add', '--name', 'gone', '--json'], { env: env() })
    const { id } = JSON.parse(stdout) as { id: number }
    expect((await runHere(['tokens', 'delete', String(id)], { env: env() })).code).toBe(2)
    expect((await runHere(['tokens', 'delete', String(id), '--yes'], { env: env() })).code).toBe(0)
    expectSentence(await runHere(['tokens', 'delete', String(id), '--yes'], { env: env() }), /Token not found/)
  })

  it('speaks Chinese where asked to', async () => {
    expectSentence(await runHere(['tokens', 'delete', '99', '--yes', '--language', 'zh'], { env: env() }), /令牌不存在/)
  })

  it('makes a channel for the provider whose key is in the environment', async () => {
    const result = await runHere(['init', '--yes', '--json'], {
      env: variables('provider', { OPENAI_API_KEY: 'sk-not-real' }),
    })
    expect(json(result)).toMatchObject({
      password: expect.stringMatching(/^\w{16}$/),
      channels: [{ name: 'OpenAI' }],
    })
    expect(result.stdout).not.toContain('sk-not-real')
  })

  it('only tells where nobody said yes', async () => {
    const result = await runHere(['init'], { env: variables('told', { OPENAI_API_KEY: 'sk-not-real' }) })
    expect([result.code, result.stderr]).toEqual([0, expect.stringContaining('openai (OPENAI_API_KEY is set)')])
    expect(json<unknown[]>(await runHere(['channels', 'list', '--json'], { env: variables('told') }))).toEqual([])
  })

  it('refuses a short password before anything is made', async () => {
    expectSentence(await runHere(['init', '--password', 'short'], { env: variables('short') }), /password/, 2)
    expect(json(await runHere(['call', 'site.setupStatus'], { env: variables('short') }))).toMatchObject({
      status: false,
    })
  })
})

describe('beside a running server', { timeout: 240_000 }, () => {
  it('goes through its socket, follows its log, and the server stops gracefully', async () => {
    const server = await serve('served')
    expect(server.written.stdout).toMatch(/Not set up yet[\s\S]*code: \w+[\s\S]*weir init --data/)
    const env = variables('served')
    const { token_key, model, console_url } = json<{ token_key: string; model: string; console_url: string }>(
      await runHere(['init', '--yes', '--json'], { env }),
    )
    expect(console_url).toBe(server.url)

    const follower = startWeir(['logs', '--follow', '--type', 'consumption', '--json'], { env })
    const reply = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    expect(reply.status).toBe(200)
    await until(() => follower.written.stdout.includes(model))
    follower.child.kill('SIGINT')
    expect(await follower.ended).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(follower.written.stdout)).toMatchObject({ type: 'consumption', model })

    const doctor = await runHere(['doctor', '--json'], { env })
    expect([doctor.code, json(doctor)]).toEqual([
      0,
      expect.arrayContaining([expect.objectContaining({ check: 'server', state: 'ok', found: 'running' })]),
    ])
    expectSentence(await runHere(['serve', '--port', '0'], { env }), /in use by another running Weir/)

    const record = path.join(folder, 'modules')
    await weir(['tokens', 'list'], { env: { ...env, NODE_OPTIONS: recordingModules(record) } })
    const loaded = await readFile(record, 'utf8')
    expect(loaded).toContain('dist/remote/tokens.js')
    // Neither a gateway nor the contract nor what draws on a terminal: the server behind the socket does the work.
    expect(loaded).not.toMatch(/dist\/(bundle\/(main|core|http|engine)|core|cli|http)\b|node_modules/)
    expect(loaded.match(/dist\/\S+/g)?.length).toBeLessThan(16)

    const access = JSON.parse((await runHere(['call', 'users.accessToken', '--json'], { env })).stdout) as string
    const remote = await runHere(['users', 'list', '--json'], {
      env: { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: access },
    })
    expect(json<unknown[]>(remote)).toMatchObject([{ username: 'root', role: 'root' }])
    const stranger = await runHere(['users', 'list'], { env: { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: 'wrong' } })
    expect([stranger.code, stranger.stdout]).toEqual([1, ''])

    server.child.kill('SIGTERM')
    expect(await server.ended).toMatchObject({ code: 0 })
  })

  it('ends at once at a second signal', async () => {
    const server = await serve('twice')
    // An open connection that says nothing would keep a graceful stop waiting.
    const open = net.connect(Number(new URL(server.url).port), '127.0.0.1')
    open.on('error', () => {})
    await new Promise((resolve) => open.once('connect', resolve))
    open.write('POST /api/user/login HTTP/1.1\r\nhost: x\r\n')
    await until(() => server.written.stdout.includes('is ready'))
    server.child.kill('SIGINT')
    await until(() => server.written.stdout.includes('Stopping'))
    server.child.kill('SIGINT')
    expect((await server.ended).code).toBe(1)
    open.destroy()
  })

  it('waits for a server that is only starting', async () => {
    const env = variables('starting')
    await runHere(['init', '--yes', '--json'], { env })
    // It has the folder, and does not listen yet.
    const config = { ...readConfig({ log_level: 'silent' }, env, false), port: 0 }
    const gateway = await openGateway(config)
    // The clock stands still, so that patience does not end before a busy machine has started the server.
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      let ended = 0
      const lists = Array.from({ length: 4 }, () =>
        runHere(['channels', 'list', '--json'], { env }).finally(() => (ended += 1)),
      )
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(ended).toBe(0)
      const server = await startServer(gateway, config)
      for (const list of await Promise.all(lists)) {
        expect(list).toMatchObject({ code: 0, stderr: '' })
        expect(json(list)).toHaveLength(1)
      }
      await server.close()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('on PostgreSQL', { timeout: 120_000 }, () => {
  it('works beside a running server, which shares the database', async () => {
    const env = variables('shared', { DATABASE_URL: await freshDatabase() })
    await whileServing(env, async (url) => {
      expect(json(await runHere(['init', '--yes', '--json'], { env }))).toMatchObject({ channels: [{ id: 1 }] })
      expect(json<unknown[]>(await runHere(['channels', 'list', '--json'], { env }))).toHaveLength(1)
      const doctor = await runHere(['doctor', '--json'], { env: { ...env, PORT: new URL(url).port } })
      expect([doctor.code, json(doctor)]).toEqual([
        0,
        expect.arrayContaining([expect.objectContaining({ check: 'server', state: 'ok', found: 'running' })]),
      ])
    })
  })
})

describe('what will not do is one sentence and exit code 1', { timeout: 120_000 }, () => {
  it('a port in use', async () => {
    // It takes connections and says nothing.
    const other = net.createServer((socket) => void socket.on('error', () => {}).resume())
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as net.AddressInfo
    const env = variables('port', { LOG_LEVEL: 'error' })
    expectSentence(
      await runHere(['serve', '--port', String(port)], { env }),
      new RegExp(`Port ${port} on 127.0.0.1 is in use`),
    )
    const doctor = await runHere(['doctor', '--json', '--port', String(port)], { env })
    expect([doctor.code, json(doctor)]).toMatchObject([
      1,
      expect.arrayContaining([expect.objectContaining({ check: 'port', state: 'fail' })]),
    ])
    await new Promise((resolve) => other.close(resolve))
  })

  it('a data folder that is a file, or cannot be written', async () => {
    await writeFile(path.join(folder, 'file'), '')
    expectSentence(await runHere(['serve', '--port', '0'], { env: variables('file') }), /folder/)
    await mkdir(path.join(folder, 'closed'))
    await chmod(path.join(folder, 'closed'), 0o500)
    // The super user may write everywhere.
    if (process.getuid?.() !== 0) expectSentence(await runHere(['init'], { env: variables('closed') }), /writ/)
  })

  it('a data folder that is the fields of a call', async () => {
    const { code, stderr } = await runHere(['call', 'users.create', '--data', '{"username":"ada"}'], {
      env: variables('x'),
    })
    expect([code, stderr.trim()]).toEqual([
      2,
      'weir: --data (WEIR_DATA) must be a folder; the fields of a call are given with --data-json.',
    ])
    expect(await readdir('.')).not.toContain('{"username":"ada"}')
  })

  it('a database address that is none, or where nobody answers', async () => {
    expectSentence(
      await runHere(['users', 'list'], { env: variables('x', { DATABASE_URL: 'mysql://x' }) }),
      /--database \(DATABASE_URL\) must be a postgres/,
    )
    const port = await freePort()
    const env = variables('x', { DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/weir` })
    expectSentence(await runHere(['users', 'list'], { env }), /database/i)
  })

  it('another secret than the one the database was made with', async () => {
    await runHere(['init', '--yes', '--json'], { env: variables('secret') })
    expectSentence(
      await runHere(['users', 'list'], { env: variables('secret', { WEIR_SECRET: 'quite another master secret' }) }),
      /secret/i,
    )
    const doctor = await runHere(['doctor', '--json'], {
      env: variables('secret', { WEIR_SECRET: 'quite another master secret' }),
    })
    expect(json<unknown[]>(doctor)).toContainEqual(expect.objectContaining({ check: 'secret', state: 'fail' }))
    expectSentence(
      await runHere(['users', 'list'], { env: variables('secret', { WEIR_SECRET: 'short' }) }),
      /WEIR_SECRET must have at least 16/,
    )
  })

  it('a folder without a Weir, for a command that only looks', async () => {
    expectSentence(await runHere(['users', 'list'], { env: variables('typo') }), /No Weir in/)
  })
})
