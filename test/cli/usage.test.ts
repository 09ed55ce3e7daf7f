// `weir usage` on a real gateway: by every dimension, for people and for programs.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.ts'
import { runHere } from '../support/terminal.ts'

let server: TestServer
const run = (args: string[]) => runHere(args, { env: { WEIR_DATA: server.config.data } })
const rows = async (args: string[]) => {
  const { stdout, stderr } = await run(['usage', ...args, '--json'])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Record<string, unknown>[]
}

beforeAll(async () => {
  server = await startTestServer()
  const { stdout } = await run(['init', '--yes', '--json'])
  const { token_key } = JSON.parse(stdout) as { token_key: string }
  for (const model of ['sandbox-small', 'sandbox-small', 'sandbox-large']) {
    const answer = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    })
    expect(answer.status).toBe(200)
    await answer.text()
  }
})
afterAll(() => server.close())

it.each([
  ['user', 'root'],
  ['token', 'first token'],
  ['group', 'default'],
  ['channel', 'Sandbox (answers offline)'],
])('by %s the calls stand under %s', async (by, name) => {
  expect(await rows(['--by', by, '--since', '1h'])).toMatchObject([
    { name, share: 1, calls: 3, failed: 0, quota: expect.any(Number), quota_usd: expect.any(Number), cost_usd: 0 },
  ])
})

it('by model the shares come to one, and a filter leaves one of them', async () => {
  const all = await rows([])
  expect(all.map(({ name, calls }) => [name, calls]).sort()).toEqual([
    ['sandbox-large', 1],
    ['sandbox-small', 2],
  ])
  expect(all.reduce((sum, { share }) => sum + Number(share), 0)).toBeCloseTo(1, 3)
  expect(await rows(['--model', 'sandbox-large'])).toMatchObject([{ name: 'sandbox-large', calls: 1, share: 1 }])
})

it('by day every day is there, also one without a call', async () => {
  const days = await rows(['--by', 'day', '--since', '3d', '--zone', 'UTC'])
  expect(days.length).toBeGreaterThanOrEqual(3)
  expect(days.reduce((sum, { calls }) => sum + Number(calls), 0)).toBe(3)
})

it('people see bars, the sum and the course by day, in their language', async () => {
  expect((await run(['usage'])).stdout).toMatch(
    /NAME +SHARE[^]*sandbox-small +█[^]*3 calls, 0 failed, \$[^]*by day .*█/,
  )
  expect((await run(['usage', '--language', 'zh'])).stdout).toMatch(/名称 +占比[^]*共 3 次调用/)
  expect((await run(['usage', '--model', 'none', '--language', 'zh'])).stdout).toBe('这段时间没有调用。\n')
})

it('rebuild sums up anew and says what it did', async () => {
  const { code, stdout } = await run(['usage', 'rebuild', '--json'])
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { hours: expect.any(Number), calls: expect.any(Number) }])
})
