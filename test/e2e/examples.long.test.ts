// The examples as a reader runs them, against a running Weir if they need one.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runExamples } from '../support/example.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const run = promisify(execFile)
const repository = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(repository, 'examples')

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

  it('run as their heads tell, and do what they show', async () => {
    const { key } = await server.gateway.client.tokens.create({ name: 'films', unlimited_quota: true })
    const accessToken = await server.gateway.client.users.accessToken()
    const cwd = await mkdtemp(join(tmpdir(), 'weir-film-'))
    const stdout = await runExamples([
      { name: 'price-a-call', args: ['gpt-4o'] },
      { name: 'embed-the-gateway' },
      { name: 'add-a-provider' },
      { name: 'admin-script', env: { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: accessToken } },
      { name: 'picture-and-film', args: ['a weir'], env: { WEIR_URL: server.url, WEIR_KEY: `sk-${key}` }, cwd },
    ])
    // price-a-call
    expect(stdout).toContain('gpt-4o: 3750 quota = $0.007500')
    // embed-the-gateway: it answers under a path of its own, and charges.
    expect(stdout).toContain('You said: Hello')
    expect(stdout).toMatch(/charged \d+ quota/)
    // add-a-provider: its channel is called like any other.
    expect(stdout).toContain('Acme is asked POST /v1/chat/completions with Bearer an-acme-key')
    expect(stdout).toContain('Hello from Acme')
    // admin-script lists the channels.
    expect(stdout).toMatch(/^\d+\tsandbox\tstatus 1\tused \d+/m)
    // picture-and-film writes both.
    expect(stdout).toContain('picture.bmp is written')
    expect(stdout).toContain('film.mp4 is written')
    expect((await readFile(join(cwd, 'picture.bmp'))).subarray(0, 2).toString()).toBe('BM')
    expect((await readFile(join(cwd, 'film.mp4'))).subarray(4, 8).toString()).toBe('ftyp')
    await rm(cwd, { recursive: true })
  }, 120_000)

  it('add a provider in fewer than 15 lines', async () => {
    const text = await readFile(join(folder, 'add-a-provider.ts'), 'utf8')
    const record = /const acme = provider\([^]*?\n\}\)\naddProvider\(acme\)\n/.exec(text)![0]
    expect(record.split('\n').length).toBeLessThan(15)
  })

  it('are all run here', async () => {
    expect((await readdir(folder)).sort()).toEqual([
      'README.md',
      'add-a-provider.ts',
      'admin-script.ts',
      'chat.sh',
      // Tried in test/operations.
      'deploy',
      'embed-the-gateway.ts',
      // These four in mounts.long.test.ts.
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
