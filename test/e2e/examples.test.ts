// The examples as a reader runs them, against a running Weir where they need one.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(repository, 'examples')

const program = (name: string, args: string[] = [], env: Record<string, string> = {}) =>
  run(process.execPath, ['--import', 'tsx', join(folder, name), ...args], {
    cwd: repository,
    env: { PATH: process.env.PATH ?? '', ...env },
  })

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const { client } = server.gateway
  const password = 'correct horse'
  await client.site.setup({ username: 'root', password, confirmPassword: password })
  await client.channels.create({ name: 'sandbox', type: 1000, models: 'sandbox-small,mj_imagine,sandbox-film' })
})
afterAll(() => server.close())

describe('the examples', () => {
  it('chat: streams an answer', async () => {
    const { key } = await server.gateway.client.tokens.create({ name: 'example', unlimited_quota: true })
    const { stdout } = await run('sh', [join(folder, 'chat.sh'), 'Good morning'], {
      env: { PATH: process.env.PATH, WEIR_URL: server.url, WEIR_KEY: `sk-${key}` },
    })
    expect(stdout).toContain('"content":" Good"')
    expect(stdout).toContain('data: [DONE]')
  })

  it('price-a-call: says what a call costs', async () => {
    const { stdout } = await program('price-a-call.ts', ['gpt-4o'])
    expect(stdout).toContain('gpt-4o: 3750 quota = $0.007500')
  }, 60_000)

  it('embed-the-gateway: answers under a path of its own and charges', async () => {
    const { stdout } = await program('embed-the-gateway.ts')
    expect(stdout).toContain('You said: Hello')
    expect(stdout).toMatch(/charged \d+ quota/)
  }, 60_000)

  it('add-a-provider: its channel is asked like any other', async () => {
    const { stdout } = await program('add-a-provider.ts')
    expect(stdout).toContain('Acme is asked POST /v1/chat/completions with Bearer an-acme-key')
    expect(stdout).toContain('Hello from Acme')
    const text = await readFile(join(folder, 'add-a-provider.ts'), 'utf8')
    const record = /const acme = provider\([^]*?\n\}\)\naddProvider\(acme\)\n/.exec(text)![0]
    expect(record.split('\n').length).toBeLessThan(15)
  }, 60_000)

  it('picture-and-film: writes both', async () => {
    const { key } = await server.gateway.client.tokens.create({ name: 'films', unlimited_quota: true })
    const cwd = await mkdtemp(join(tmpdir(), 'weir-film-'))
    const env = { PATH: process.env.PATH ?? '', WEIR_URL: server.url, WEIR_KEY: `sk-${key}` }
    const tsx = join(repository, 'node_modules/tsx/dist/loader.mjs')
    const script = join(folder, 'picture-and-film.ts')
    const { stdout } = await run(process.execPath, ['--import', tsx, script, 'a weir'], { cwd, env })
    expect(stdout).toContain('picture.bmp is written')
    expect(stdout).toContain('film.mp4 is written')
    expect((await readFile(join(cwd, 'picture.bmp'))).subarray(0, 2).toString()).toBe('BM')
    expect((await readFile(join(cwd, 'film.mp4'))).subarray(4, 8).toString()).toBe('ftyp')
    await rm(cwd, { recursive: true })
  }, 60_000)

  it('admin-script: lists the channels', async () => {
    const token = await server.gateway.client.users.accessToken()
    const { stdout } = await program('admin-script.ts', [], { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: token })
    expect(stdout).toMatch(/^\d+\tsandbox\tstatus 1\tused \d+/)
  }, 60_000)

  it('are all run here', async () => {
    expect((await readdir(folder)).sort()).toEqual([
      'README.md',
      'add-a-provider.ts',
      'admin-script.ts',
      'chat.sh',
      // Tried in test/operations.
      'deploy',
      'embed-the-gateway.ts',
      // These four in mounts.test.ts.
      'express.ts',
      'fastify.ts',
      'hono.ts',
      'koa.ts',
      'operations',
      'picture-and-film.ts',
      // In frames.test.ts.
      'portal.ts',
      'price-a-call.ts',
    ])
  })
})
