// Commands that run from `weir ui`: on the Weir of the screen, without questions, and with a time limit.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { CommandEnvironment } from '../../../cli/command.ts'
import { readContexts, writeContexts } from '../../../cli/connection/contexts.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { runHere } from '../../support/terminal.ts'

let watching: (given: CommandEnvironment) => Promise<void>
vi.mock('../../../cli/ui/run.tsx', () => ({
  runUi: (surroundings: CommandEnvironment) => watching(surroundings),
}))

let server: TestServer
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  server = await startTestServer()
  await runHere(['init', '--yes', '--json'], { env: { WEIR_DATA: server.config.data } })
  const { token } = await server.gateway.client.users.createAccessToken({ name: 'terminal', scope: 'all' })
  folder = await mkdtemp(path.join(tmpdir(), 'weir-beside-'))
  env = { WEIR_CONFIG_DIR: folder, TERM: 'xterm' }
  const there = { server: server.url, access_token: token, username: 'root', added: 0 }
  writeContexts(env, { current: 'there', contexts: { there } })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const beside = async (args: string[], signal = new AbortController().signal) => {
  let told = { code: -1, output: '' }
  watching = async (surroundings) => {
    told = await surroundings.runSeparately(args, signal)
  }
  const ended = await runHere(['ui', '--context', 'there'], { env, tty: true, columns: 80 })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  return told
}

it('goes where the screen goes, whatever is current by then', async () => {
  const elsewhere = { server: 'http://127.0.0.1:9', access_token: 'x', username: 'x', added: 0 }
  const { contexts } = readContexts(env)
  let output = ''
  watching = async ({ client, runSeparately: runBeside }) => {
    await client()
    writeContexts(env, { current: 'elsewhere', contexts: { elsewhere } })
    output = (await runBeside(['users', 'show', 'root', '--json'], new AbortController().signal)).output
  }
  expect(await runHere(['ui'], { env, tty: true })).toMatchObject({ code: 0 })
  expect(JSON.parse(output)).toMatchObject({ username: 'root' })
  writeContexts(env, { current: 'there', contexts })
})

it('asks nothing, and fits the terminal', async () => {
  expect(await beside(['users', 'rm', 'root'])).toMatchObject({ code: 2, output: expect.stringContaining('--yes') })
  const { code, output } = await beside(['channels', 'ls'])
  expect([code, output.split('\n').filter((line) => line.length > 80)]).toEqual([0, []])
  expect(output).not.toContain('\u001B')
})

it.each(['serve', 'ui', 'top', 'run'])('refuses %s, which needs a its own terminal', async (name) => {
  const args = name === 'run' ? [name, '--', 'true'] : [name]
  expect(await beside(args)).toMatchObject({ code: 2, output: expect.stringContaining('its own terminal') })
})

it.each([[['logs', 'tail']], [['users', 'ls', '--watch', '1s']]])('ends %j with its signal', async (args) => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 300)
  expect(await beside(args, controller.signal)).toMatchObject({ code: 0 })
})
