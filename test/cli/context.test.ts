// The gateway that a command connects to: contexts, variables and flags.
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { complete } from '../../cli/completion/main.ts'
import { readContexts, resolveTarget, writeContexts } from '../../cli/connection/contexts.ts'
import { findMeantContext } from '../../cli/nouns/context.ts'
import { runCommandLine } from '../../cli/main.ts'
import { eventually } from '../support/gateway.ts'
import { createVisitor, startTestServer, type TestServer, type Visitor } from '../support/server.ts'
import { fakeHost, fakeServer, runHere } from '../support/terminal.ts'

let server: TestServer
let root: Visitor
let token: string
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  server = await startTestServer()
  const { stdout } = await runHere(['init', '--yes', '--json'], { env: { WEIR_DATA: server.config.data } })
  root = createVisitor(server.url)
  await root.login('root', (JSON.parse(stdout) as { password: string }).password)
})
afterAll(() => server.close())
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'weir-contexts-'))
  env = { WEIR_CONFIG_DIR: folder }
  const { users } = server.gateway.client
  for (const { id } of await users.accessTokens()) await users.deleteAccessToken({ id })
  token = (await users.createAccessToken({ name: 'terminal', scope: 'all' })).token
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

  it('means https where nothing is said, but on this machine', async () => {
    const [, address] = server.url.split('//')
    expect((await run(['login', address!, '--token', token])).code).toBe(0)
    const open = await fakeServer(() => ({ body: {} }))
    const elsewhere = open.url.replace('127.0.0.1', '0.0.0.0')
    expect((await run(['login', elsewhere, '--token', token])).stderr).toContain('not https')
    await open.close()
  })

  it('names two gateways of one host apart', async () => {
    const { port } = new URL(server.url)
    const other = { server: 'http://127.0.0.1:9', access_token: 'x', username: 'root', added: 0 }
    writeContexts(env, { current: '127.0.0.1', contexts: { '127.0.0.1': other } })
    const login = () => runHere(['login', server.url, '--token', '-', '--quiet'], { env, input: token })
    const named = { code: 0, stdout: `127.0.0.1-${port}\n` }
    expect(await login()).toMatchObject(named)
    expect(readContexts(env).contexts).toMatchObject({
      '127.0.0.1': other,
      [`127.0.0.1-${port}`]: { server: server.url },
    })
    // The same gateway keeps its name.
    expect(await login()).toMatchObject(named)
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

/** Signs in by a code, which is answered as soon as it is told. */
async function signInByCode(answer: (user_code: string) => Promise<unknown>, args: string[] = []) {
  const { host, written } = fakeHost({ env })
  const ended = runCommandLine(['login', server.url, '--code', '--name', 'there', ...args], host)
  const { stderr } = await eventually(
    () => written,
    ({ stderr }) => stderr.includes('/device'),
  )
  await answer(/code (\S+)\./.exec(stderr)?.[1] ?? '')
  return { code: await ended, ...written }
}
const ownTokens = async () => (await root.client.users.accessTokens()).map(({ name }) => name)
const allow = (user_code: string) => root.client.devices.answer({ user_code, allow: true })

const BEGUN = { device_code: 'd', user_code: 'BCDF-GHJK', expires_in: 600, interval: 0 }

describe('weir login by a code', () => {
  it('prints it with the address, and keeps the access token that was allowed, in place of the one before', async () => {
    let asked: unknown
    const look = async (user_code: string) => {
      asked = await root.client.devices.request({ user_code })
      await allow(user_code)
    }
    const seen = await signInByCode(look, ['--scope', 'relay', '--json'])
    expect(seen.stderr).toContain(`${server.url}/device and enter the code`)
    const ends = Date.now() / 1000 + 90 * 86_400
    expect(asked).toMatchObject({ name: expect.stringMatching(/^weir on /), scope: 'relay', near: true })
    const row = JSON.parse(seen.stdout) as { expires: string; access_token_name: string }
    expect([seen.code, row]).toEqual([0, expect.objectContaining({ username: 'root', current: true, name: 'there' })])
    expect(Math.abs(Date.parse(row.expires) / 1000 - ends)).toBeLessThan(60)
    expect(await ownTokens()).toEqual(['terminal', row.access_token_name])
    expect(JSON.parse((await run(['users', 'show', 'root', '--json'])).stdout)).toMatchObject({ username: 'root' })
    const again = await signInByCode(allow)
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('as root') })
    expect(await ownTokens()).toEqual(['terminal', `${row.access_token_name} 2`])
  })

  it('keeps nothing where it is denied, and asks no more', async () => {
    const there = await fakeServer(({ url }) =>
      url === '/api/device/code'
        ? { body: { success: true, message: '', data: BEGUN } }
        : { body: { success: false, message: 'It was denied', code: 'device.access_denied' } },
    )
    const seen = await run(['login', there.url, '--code'])
    expect(seen).toMatchObject({ code: 1, stderr: expect.stringContaining('denied') })
    expect(there.seen).toHaveLength(2)
    await there.close()
    expect(await readdir(folder)).toEqual([])
  })

  it('asks until it is answered, and forgets a gateway that is gone, which it says', async () => {
    const replies = ['device.authorization_pending', 'device.authorization_pending', undefined]
    const made = { id: 1, name: 'weir', scope: 'all', created_time: 1, used_time: 0, expired_time: 2, token: 't' }
    const there = await fakeServer(({ url }) => {
      if (url === '/api/device/code') return { body: { success: true, message: '', data: BEGUN } }
      const code = replies.shift()
      if (code) return { body: { success: false, message: 'no', code } }
      return { body: { success: true, message: '', data: { ...made, username: 'ada' } } }
    })
    const seen = await runHere(['login', there.url, '--code', '--quiet', '--name', 'x'], { env })
    expect(seen).toMatchObject({ code: 0, stdout: 'x\n', stderr: expect.stringContaining('BCDF-GHJK') })
    expect(there.seen.map(({ url }) => url)).toEqual(['/api/device/code', ...Array(3).fill('/api/device/token')])
    await there.close()
    const list = JSON.parse((await run(['context', '--json'])).stdout) as object[]
    expect(list[1]).toMatchObject({ username: 'ada', expires: '1970-01-01T00:00:02.000Z' })
    const left = await run(['logout', '--json'])
    expect(left).toMatchObject({ code: 1, stderr: expect.stringContaining('could not be revoked') })
    expect(JSON.parse(left.stdout)).toMatchObject({ name: 'x', revoked: false })
    expect(JSON.parse((await run(['context', '--json'])).stdout)).toHaveLength(1)
  })
})

describe('weir logout', () => {
  it('ends the access token there, and forgets it here', async () => {
    await signIn('there')
    expect(await run(['logout', '--json'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"revoked": true'),
    })
    expect(await ownTokens()).toEqual([])
    expect(await run(['logout'])).toMatchObject({ code: 2, stderr: expect.stringContaining('weir context') })
    expect(await run(['logout', 'there'])).toMatchObject({ code: 2 })
    expect(await run(['logout', 'local'])).toMatchObject({ code: 2 })
  })

  it('leaves the token alone with --keep, and says how to end it', async () => {
    await signIn('there')
    const seen = await run(['logout', 'there', '--keep'])
    expect(seen).toMatchObject({ code: 0, stdout: expect.stringContaining('weir access-tokens rm "terminal"') })
    expect(await ownTokens()).toEqual(['terminal'])
  })

  it('is content where it is worth nothing any more', async () => {
    await signIn('there')
    const [{ id } = { id: 0 }] = await root.client.users.accessTokens()
    await root.client.users.deleteAccessToken({ id })
    expect(await run(['users'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`weir login ${server.url} --name there`),
    })
    expect((await run(['logout'])).code).toBe(0)
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
  expect(await run(['users'])).toMatchObject({ code: 1, stderr: expect.stringContaining('No Weir in') })
  expect((await run(['users', '--context', 'one', '--quiet'])).stdout).toBe('1\n')
  expect((await run(['context', 'rm', 'two'])).code).toBe(2)
  expect((await run(['context', 'rm', 'two', '--yes'])).code).toBe(0)
  expect(await readFile(path.join(folder, 'contexts.json'), 'utf8')).not.toContain('"two"')
  expect(await ownTokens()).toEqual([])
  for (const args of [
    ['context', 'use', 'two'],
    ['users', '--context', 'two'],
  ]) {
    expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('No context is called "two"') })
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
  ])('%s', (_, asked, more, target) => expect(resolveTarget(asked, { ...env, ...more }, missing)).toEqual(target))

  it('one that is mistyped is refused with similar names, and letter case decides only between several', async () => {
    const production = { ...saved, server: 'http://p', access_token: 'p' }
    writeContexts(env, { contexts: { production, Twin: saved, twin: saved } })
    expect(resolveTarget({ context: 'PRODUCTION' }, env, findMeantContext)).toMatchObject({ context: 'production' })
    expect(resolveTarget({ context: 'twin' }, env, findMeantContext)).toMatchObject({ context: 'twin' })
    expect(resolveTarget({ context: 'LOCAL' }, env, findMeantContext)).toEqual({})
    for (const args of [['users', '--context'], ['context', 'use'], ['context', 'rm', '--yes'], ['logout']]) {
      expect([args, await run([...args, 'prodcution'])]).toMatchObject([
        args,
        { code: 2, stderr: expect.stringContaining('Did you mean production?') },
      ])
      expect([args, await run([...args, 'TWIN'])]).toMatchObject([
        args,
        { code: 2, stderr: expect.stringContaining('Twin, twin') },
      ])
    }
  })

  it('where no home is known there are none', () => expect(resolveTarget({}, {}, missing)).toEqual({}))
})
