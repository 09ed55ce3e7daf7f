// `weir` alone: the state and the next three things on a terminal, the help elsewhere.
import { mkdtemp, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { suggestNextSteps } from '../../cli/commands/no-command.ts'
import { allCommands } from '../../cli/commands/index.ts'
import type { GatewayState } from '../../cli/commands/status.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { runHere } from '../support/terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const bare = (env: Record<string, string>) => runHere([], { tty: true, env: { NO_COLOR: '1', ...env } })
const steps = (stdout: string) => [...stdout.matchAll(/^ {2}(weir [a-z]+(?: [a-z]+)?)/gm)].map(([, each]) => each)

it('says what comes next, from nothing to a gateway at work, in both languages', async () => {
  const env = { WEIR_DATA: server.config.data }
  const fresh = await bare(env)
  expect([fresh.code, fresh.stderr, steps(fresh.stdout)[0]]).toEqual([0, '', 'weir init'])
  expect(fresh.stdout).toContain('not set up yet')

  await runHere(['init', '--yes', '--channel', 'none'], { env })
  expect(steps((await bare(env)).stdout)).toEqual(['weir channels add', 'weir ui', 'weir logs tail'])

  const channel = ['channels', 'add', '--type', 'sandbox', '--name', 'shaky', '--json']
  const { id } = JSON.parse((await runHere(channel, { env })).stdout) as { id: number }
  const atWork = await bare(env)
  expect(atWork.stdout).toMatch(/^Weir \S+ http:\S+: running on this machine, 1 of 1 channels on, 0 calls a minute/)
  expect(steps(atWork.stdout)).toEqual(['weir ui', 'weir logs tail', 'weir usage'])

  await server.gateway.ports.storage.channels.update(id, { status: 3 })
  expect(steps((await bare(env)).stdout)).toEqual(['weir channels test', 'weir ui', 'weir logs tail'])
  await server.gateway.client.channels.update({ id, status: 1, models: 'sandbox-small,odd' })
  const unpriced = await bare(env)
  expect(steps(unpriced.stdout)[0]).toBe('weir prices missing')
  expect(unpriced.stdout).toContain('odd has no price')
  const status = JSON.parse((await runHere(['status', '--json'], { env })).stdout) as object
  expect(status).toMatchObject({
    ...{ models_unpriced: 1, open_holds: 0, owed_charges: 0, processes: 1, database: 'sqlite' },
    ...{
      database_version: expect.stringMatching(/^3\./),
      database_bytes: expect.any(Number),
      schema: expect.any(String),
    },
  })
  await server.gateway.ports.storage.channels.update(id, { status: 3 })
  const chinese = await bare({ ...env, WEIR_LANGUAGE: 'zh' })
  expect(chinese.stdout).toMatch(/1 个故障[^]*查看 shaky 的故障原因[^]*所有命令/)
})

it('makes no folder by looking', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'weir-bare-'))
  const data = path.join(folder, 'none')
  const { code, stdout } = await bare({ WEIR_DATA: data })
  expect([code, existsSync(data)]).toEqual([0, false])
  expect(stdout).toContain(`weir init --data ${data}`)
  await rm(folder, { recursive: true })
})

it('is the help in a pipe', async () => {
  expect((await runHere([], { env: { WEIR_DATA: server.config.data } })).stdout).toContain('Usage: weir')
})

it('names commands that there are', () => {
  const gateway = {
    ...{ database: 'sqlite' as const, database_version: '3', database_bytes: 1, schema: '1' },
    ...{ processes: 1, open_holds: 0, owed_charges: 0, proxies: [] },
  }
  const counts = { rpm: 0, tpm: 0, charged: 0, errors: 0, channels: 0, on: 0 }
  const more = { ...counts, broken: [{ id: 4, name: 'a b' }], unpriced: ['odd', 'other'], gateway }
  const state: GatewayState = { version: '1', address: undefined, via: 'process', since: undefined, setup: true, more }
  for (const { command } of [...suggestNextSteps(undefined, []), ...suggestNextSteps(state, ['--data x'])]) {
    const [, first, second] = command.split(' ')
    const entry = allCommands.find(({ name }) => name === first)
    if (entry && 'commands' in entry && second) expect(entry.commands.map(({ name }) => name)).toContain(second)
    else expect([command, entry]).toEqual([command, expect.anything()])
  }
  expect(suggestNextSteps(state, []).map(({ command }) => command)).toContain('weir channels test 4')
})
