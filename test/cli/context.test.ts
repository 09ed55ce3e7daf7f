// Where the terminal goes: contexts, the variables and the flags.
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { complete } from '../../cli/completion/main.ts'
import { targetOf, writeContexts } from '../../cli/contexts.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { runHere } from '../support/terminal.ts'

let server: TestServer
let token: string
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  server = await startTestServer()
  await runHere(['init', '--yes', '--json'], { env: { WEIR_DATA: server.config.data } })
  token = (await server.gateway.client.users.createAccessToken({ name: 'terminal', scope: 'all' })).token
})
afterAll(() => server.close())
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'weir-contexts-'))
  env = { WEIR_CONFIG_DIR: folder }
  return () => rm(folder, { recursive: true })
})
const run = (args: string[], more = {}) => runHere(args, { env: { ...env, ...more } })
const signIn = (name: string) => runHere(['login', server.url, '--name', name, '--token', '-'], { env, input: token })

describe('weir login', () => {
  it('keeps a token that works, for this user alone, and goes there from now on', async () => {
    expect(await signIn('there')).toMatchObject({ code: 0, stdout: expect.stringContaining('as root') })
    const file = path.join(folder, 'contexts.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['contexts.json'])
    const { stdout, code } = await run(['users', 'show', 'root', '--json'])
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ username: 'root' })])
    expect((await run(['context', '--json'])).stdout).not.toContain(token)
  })

  it('keeps none that is refused, and has nobody to ask without a terminal', async () => {
    expect(await run(['login', server.url, '--token', 'wrong'])).toMatchObject({ code: 1 })
    expect(await run(['login', server.url])).toMatchObject({ code: 2, stderr: expect.stringContaining('--token') })
    expect(await run(['login', 'http://', '--token', 'x'])).toMatchObject({ code: 2 })
    expect(await readdir(folder)).toEqual([])
  })

  it('is not read where others may read it', async () => {
    await signIn('there')
    await chmod(path.join(folder, 'contexts.json'), 0o640)
    expect(await run(['users'])).toMatchObject({ code: 1, stderr: expect.stringContaining('chmod 600') })
  })
})

it('weir context lists, chooses and forgets', async () => {
  await signIn('one')
  await signIn('two')
  const rows = async () => JSON.parse((await run(['context', '--json'])).stdout) as { name: string; current: boolean }[]
  const current = async () => (await rows()).find((row) => row.current)?.name
  expect([(await rows()).map(({ name }) => name), await current()]).toEqual([['local', 'one', 'two'], 'two'])
  expect((await run(['context', 'use', 'one'])).code).toBe(0)
  expect(await current()).toBe('one')
  expect((await run(['context', 'use', 'two'], { WEIR_DATA: '/x' })).stderr).toContain('WEIR_DATA is set')
  expect((await run(['context', 'use', 'local'])).code).toBe(0)
  expect(await run(['users'])).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no Weir in') })
  expect((await run(['users', '--context', 'one', '--quiet'])).stdout).toBe('1\n')
  expect((await run(['context', 'rm', 'two'])).code).toBe(2)
  expect((await run(['context', 'rm', 'two', '--yes'])).code).toBe(0)
  expect(await readFile(path.join(folder, 'contexts.json'), 'utf8')).not.toContain('"two"')
  for (const args of [
    ['context', 'use', 'two'],
    ['users', '--context', 'two'],
  ]) {
    expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('no context "two"') })
  }
})

it('weir status says how it is, to administrators more', async () => {
  const state = async (more: Record<string, string>) =>
    JSON.parse((await run(['status', '--json'], more)).stdout) as object
  const here = { server: 'socket', address: server.url, setup: true, since: expect.stringMatching(/Z$/) as string }
  expect(await state({ WEIR_DATA: server.config.data })).toMatchObject({
    ...here,
    channels_on: 1,
    channels_broken: 0,
    calls_per_minute: 0,
    errors: 0,
    charged_usd: 0,
  })
  expect(await state({ WEIR_SERVER: server.url })).toMatchObject({ ...here, server: 'remote', channels_on: null })
})

it('commands of this machine stay here', async () => {
  await signIn('there')
  const refused = await run(['serve', '--workers', '99'])
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--workers takes') })
})

it('completion goes there too, and offers the names', async () => {
  await signIn('there')
  const offered = async (line: string) => {
    let written = ''
    await complete(['zsh', line], { ...env, XDG_CACHE_HOME: folder }, (text) => (written += text))
    return written
  }
  expect(await offered('weir users show ro')).toBe('root\tRoot User\n')
  expect(await offered('weir context use ')).toBe(`local\nthere\t${server.url}\n`)
})

describe('the order', () => {
  const missing = (name: string): never => {
    throw new Error(name)
  }
  const saved = { server: 'http://c', access_token: 'c', username: 'root', added: 1 }
  const variables = { WEIR_SERVER: 'http://v', WEIR_ACCESS_TOKEN: 'v', WEIR_CONTEXT: 'b' }
  beforeEach(() =>
    writeContexts(env, {
      current: 'a',
      contexts: { a: saved, b: { ...saved, server: 'http://b', access_token: 'b' } },
    }),
  )

  it.each([
    ['--server', { server: 'http://f' }, variables, { server: 'http://f', accessToken: 'v' }],
    ['--data', { data: 'd', context: 'a' }, variables, {}],
    ['--context', { context: 'a' }, variables, { server: 'http://c', accessToken: 'c', context: 'a' }],
    ['--context local', { context: 'local' }, variables, {}],
    ['WEIR_SERVER', {}, variables, { server: 'http://v', accessToken: 'v' }],
    ['WEIR_DATA', {}, { WEIR_DATA: 'd', WEIR_CONTEXT: 'b' }, {}],
    ['WEIR_CONTEXT', {}, { WEIR_CONTEXT: 'b' }, { server: 'http://b', accessToken: 'b', context: 'b' }],
    [
      'the current one, to which no other token goes',
      {},
      { WEIR_ACCESS_TOKEN: 'v' },
      { server: 'http://c', accessToken: 'c', context: 'a' },
    ],
  ])('%s', (_, asked, more, target) => expect(targetOf(asked, { ...env, ...more }, missing)).toEqual(target))

  it('where no home is known there are none', () => expect(targetOf({}, {}, missing)).toEqual({}))
})
