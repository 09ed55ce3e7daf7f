// `weir run` and `weir env`: a program gets a temporary token, its cost is reported, and the token is deleted.
import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { supportedClientNames, buildClientConfig, buildCommandConfig } from '../../core/tokens/clients.ts'
import { findLentHome } from '../../cli/connection/temporary-token.ts'
import { clientGuideNames, getGuide } from '../../core/tokens/guides.ts'
import { buildShellLines, supportedShellNames } from '../../core/tokens/shell.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { runHere, startWeir, until } from '../support/terminal.ts'

let server: TestServer
let env: Record<string, string>
let key: string
beforeAll(async () => {
  server = await startTestServer()
  env = { WEIR_DATA: server.config.data }
  key = (JSON.parse((await runHere(['init', '--yes', '--json'], { env })).stdout) as { token_key: string }).token_key
})
afterAll(() => server.close())

const place = { key: 'sk-a', address: 'http://weir', model: 'm', models: ['x'] }
/** The environment of a program that is found as here. */
const runs = () => ({ ...env, PATH: process.env.PATH ?? '' })
const tokensLeft = async () => (await server.gateway.client.tokens.list({})).data.map(({ name }) => name)
/** A program of some lines. */
const program = (lines: string) => ['--', process.execPath, '--input-type=module', '-e', lines]
const CALL = `const asked = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST',
  headers: { authorization: 'Bearer ' + process.env.OPENAI_API_KEY, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello' }] }) });
const told = [asked.status, process.env.ANTHROPIC_BASE_URL, process.env.GEMINI_API_KEY === process.env.OPENAI_API_KEY];`

describe('weir run', { timeout: 120_000 }, () => {
  it('lends a token, passes signals on, ends with the code of the program, says the cost and leaves no token', async () => {
    const before = await tokensLeft()
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    // It outlives the first two signals, and ends at the third.
    const waiting = `${CALL} console.log(...told)
      for (const signal of ${JSON.stringify(signals)}) process.on(signal, () => {
        console.log(signal)
        if (signal === '${signals.at(-1)}') process.exit(7)
      })
      console.log('waits'); setInterval(() => {}, 1000)`
    const { child, written, ended } = startWeir(['run', '--budget', '$2', ...program(waiting)], { env })
    await until(() => written.stdout.includes('waits'))
    expect(await tokensLeft()).toHaveLength(before.length + 1)
    for (const signal of signals) {
      child.kill(signal)
      await until(() => written.stdout.includes(signal))
    }
    const { code, stdout, stderr } = await ended
    expect([code, stdout]).toEqual([7, [`200 ${server.url} true`, 'waits', ...signals, ''].join('\n')])
    expect(stderr).toMatch(/^It cost \$0\.0000\d\d: 1 call, \d+ tokens in, \d+ out\.\n$/)
    expect(await tokensLeft()).toEqual(before)
  })

  it('tells programs the same as JSON', async () => {
    const { stdout, stderr, code } = await runHere(['run', '--json', '--model', 'm', '--', 'true'], { env: runs() })
    expect([code, stdout]).toEqual([0, ''])
    expect(JSON.parse(stderr)).toMatchObject({
      quota: 0,
      quota_usd: 0,
      calls: 0,
      models: [],
      expires: expect.stringMatching(/Z$/),
    })
  })

  it('bounds what it may spend', async () => {
    const file = path.join(server.config.data, 'told')
    const writing = `${CALL} (await import('node:fs')).writeFileSync(${JSON.stringify(file)}, told.join(' '))`
    const refused = await runHere(['run', '--budget', '1', ...program(writing)], { env: runs() })
    expect(await readFile(file, 'utf8')).toMatch(/^40[0-9] /)
    expect(refused).toMatchObject({ code: 0, stderr: expect.stringMatching(/^It cost \$0/) })
  })

  it('says what a signal did to the program, and that there is no such program', async () => {
    const before = await tokensLeft()
    const killed = await runHere(['run', '--', 'sh', '-c', 'kill -KILL $$'], { env: runs() })
    expect(killed).toMatchObject({ code: 137, stderr: expect.stringContaining('It cost $0') })
    const missing = await runHere(['run', '--', 'no-such-program-here'], { env: runs() })
    expect(missing).toMatchObject({ code: 127, stderr: expect.stringMatching(/Program "[^"]+" not found/) })
    const file = path.join(server.config.data, 'no-program')
    await writeFile(file, 'text', { mode: 0o600 })
    for (const place of [file, server.config.data])
      expect(await runHere(['run', '--', place], { env: runs() })).toMatchObject({
        ...{ code: 126, stderr: expect.stringContaining('is no program that may be run') },
      })
    expect(await tokensLeft()).toEqual(before)
  })

  it('needs a running gateway, and a program', async () => {
    const { gateway: _, ...nowhere } = { ...server, url: 'http://127.0.0.1:9' }
    expect(await runHere(['run', '--', 'true'], { env: { WEIR_SERVER: nowhere.url } })).toMatchObject({ code: 1 })
    expect(await runHere(['run'], { env })).toMatchObject({ code: 2 })
  })
})

describe('weir env', () => {
  it('prints the lines of `tokens env` for the token that is named, or at hand', async () => {
    const lines = (await runHere(['tokens', 'env', '1', '--shell', 'sh'], { env })).stdout
    for (const token of [[], ['--token', '1'], ['--token', 'first token'], ['--token', key]])
      expect((await runHere(['env', '--shell', 'sh', ...token], { env })).stdout).toBe(lines)
    expect(await runHere(['env', '--token', 'nobody'], { env })).toMatchObject({ code: 1 })
  })

  it('names the models to clients that must be told', async () => {
    const { stdout } = await runHere(['env', '--client', 'opencode', '--json'], { env })
    const { OPENCODE_CONFIG_CONTENT } = JSON.parse(stdout) as { OPENCODE_CONFIG_CONTENT: string }
    const config = JSON.parse(OPENCODE_CONFIG_CONTENT) as { provider: { weir: { models: object } } }
    expect(Object.keys(config.provider.weir.models)).toContain('sandbox-small')
  })

  it.each(supportedClientNames)('has lines of %s in every shell, which sh takes as they are', (client) => {
    const pointed = buildClientConfig(client, place)
    for (const shell of supportedShellNames) expect(buildShellLines(shell, pointed).join('\n')).toContain('sk-a')
    const names = Object.keys(pointed.variables)
    const script = [...buildShellLines('sh', pointed), ...names.map((name) => `printf '%s\\n' "$${name}"`)].join('\n')
    const told = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ANTHROPIC_API_KEY: 'elsewhere' } })
    expect(told).toBe(Object.values(pointed.variables).join('\n') + '\n')
  })

  it('lends a home to an agent that its user signed in elsewhere, with all else of theirs', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'weir-home-'))
    const room = await mkdtemp(path.join(tmpdir(), 'weir-room-'))
    const gemini = path.join(home, '.gemini')
    await mkdir(gemini)
    await writeFile(path.join(gemini, 'GEMINI.md'), 'memory')
    const settings = (selectedType: string) => JSON.stringify({ security: { auth: { selectedType } }, ui: { x: 1 } })
    await writeFile(path.join(gemini, 'settings.json'), settings('gemini-api-key'))
    expect(await findLentHome(buildClientConfig('gemini', place), { HOME: home }, room)).toEqual({})
    await writeFile(path.join(gemini, 'settings.json'), settings('oauth-personal'))
    expect(await findLentHome(buildClientConfig('gemini', place), { HOME: home }, room)).toEqual({
      GEMINI_CLI_HOME: room,
    })
    const lent = path.join(room, '.gemini')
    expect(await readFile(path.join(lent, 'GEMINI.md'), 'utf8')).toBe('memory')
    expect(JSON.parse(await readFile(path.join(lent, 'settings.json'), 'utf8'))).toEqual(
      JSON.parse(settings('gemini-api-key')),
    )
    await Promise.all([home, room].map((folder) => rm(folder, { recursive: true })))
    expect(await findLentHome(buildClientConfig('claude', place), { HOME: home }, room)).toEqual({})
  })

  it('knows an agent by its command, wherever it lies', () => {
    expect(buildCommandConfig('/usr/bin/claude', place)).toEqual(buildClientConfig('claude', place))
    expect(buildCommandConfig('C:\\bin\\codex.exe', place)).toEqual(buildClientConfig('codex', place))
    expect(Object.keys(buildCommandConfig('python', place).variables)).toEqual(
      expect.arrayContaining(['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'GEMINI_API_KEY']),
    )
  })
})

describe('what is pasted into a client', () => {
  const first = () => ({ key: `sk-${key.replace(/^sk-/, '')}`, address: server.url, model: 'sandbox-small' })
  const inNode = clientGuideNames.filter((name) => name.endsWith('SDK'))

  it.each(inNode)('is a program that %s answers', async (name) => {
    const text = getGuide(name, first()).texts?.find((one) => one.in === 'JavaScript')?.text ?? ''
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', text])
    expect(stdout).toContain('Hello')
  })

  it('is a line that a shell runs', async () => {
    const [{ text = '' } = {}] = getGuide('curl', first()).texts ?? []
    const { stdout } = await promisify(execFile)('sh', ['-c', text])
    expect(JSON.parse(stdout)).toMatchObject({ choices: [{ message: { content: expect.stringContaining('Hello') } }] })
  })

  it.each(clientGuideNames)('of %s carries the key, the address and the model, and no text comes twice', (name) => {
    const { texts = [], fields = [] } = getGuide(name, place)
    expect(new Set(texts.map((one) => one.in)).size).toBe(texts.length)
    for (const text of [...texts.map((one) => one.text), ...(fields.length > 0 ? [JSON.stringify(fields)] : [])]) {
      for (const part of [place.key, place.address, place.model]) expect(text).toContain(part)
    }
    expect(texts.length + fields.length).toBeGreaterThan(0)
  })
})

it('the help says what becomes of the token where weir is killed', async () => {
  expect((await runHere(['run', '--help'])).stdout).toContain('SIGKILL')
})
