// `weir models` and `weir route …` on a real gateway: the models with their prices, and the route of their calls.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeRouteReason, ROUTE_REASON_CODES } from '../../core/channels/route-explanation.ts'
import { simulateRoute } from '../../cli/nouns/route.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { runHere } from '../support/terminal.ts'

let server: TestServer
let access: string
const here = (args: string[]) => runHere(args, { env: { WEIR_DATA: server.config.data }, columns: 120 })
const there = (args: string[]) => runHere(args, { env: { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: access } })
const json = async <T = Record<string, unknown>>(args: string[], run = here): Promise<T> => {
  const { stdout, stderr } = await run([...args, '--json'])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as T
}

beforeAll(async () => {
  server = await startTestServer()
  await here(['init', '--yes', '--json'])
  access = await json<string>(['call', 'users.accessToken'])
  await here(['settings', 'set', 'ModelRatio', '{"two":1.5}', '--yes'])
  await here(['settings', 'set', 'ModelPrice', '{"picture":0.04}', '--yes'])
  for (const [name, ...more] of [
    ['light', '--models', 'two,picture,unpriced', '--weight', '10'],
    ['heavy', '--models', 'two', '--weight', '50', '--group', 'default,vip'],
    ['later', '--models', 'two', '--priority', '-1'],
    ['hidden', '--models', 'secret', '--group', 'svip'],
    ['off', '--models', 'two,resting'],
  ])
    await json(['channels', 'add', '--type', 'sandbox', '--name', name!, ...more])
  await json(['channels', 'disable', 'off'])
})
afterAll(() => server.close())

describe.each([
  ['in the data folder', () => here],
  ['with --server', () => there],
])('%s', (_, run) => {
  it('models ls says channels, groups and price of each', async () => {
    const rows = await json<{ model: string }[]>(['models'], run())
    const row = (name: string) => rows.find(({ model }) => model === name)
    expect(row('two')).toEqual({
      ...{ model: 'two', channels_on: 3, channels_off: 1, groups: ['default', 'vip'], price: 'usage' },
      ...{ input_usd_per_1m: 3, output_usd_per_1m: expect.any(Number), usd_per_call: null },
    })
    expect(row('picture')).toMatchObject({ price: 'call', usd_per_call: 0.04, input_usd_per_1m: null })
    expect(row('unpriced')).toMatchObject({ price: 'missing', input_usd_per_1m: null })
    expect(row('resting')).toMatchObject({ channels_on: 0, channels_off: 1, groups: [], price: 'unknown' })
    expect(row('secret')).toMatchObject({ channels_on: 1, price: 'unknown' })
    expect(await json(['models', 'ls', '--missing', '--search', 'UNPR'], run())).toMatchObject([{ model: 'unpriced' }])
    expect(await json(['models', 'ls', '--group', 'vip'], run())).toMatchObject([{ model: 'two' }])
  })

  it('route simulate spreads every call over the channels that are tried first', async () => {
    const rows = await json<{ name: string; calls: number }[]>(
      ['route', 'simulate', '--model', 'two', '--calls', '80'],
      run(),
    )
    expect(Object.fromEntries(rows.map(({ name, calls }) => [name, calls]))).toEqual({
      ...{ light: 20, heavy: 60, later: 0, off: 0 },
    })
  })

  it('route explain gives one document', async () => {
    expect(await json(['route', 'explain', '--model', 'two'], run())).toMatchObject({
      ...{ model: 'two', group: 'default', attempts: expect.any(Number), fallbacks: [] },
      channels: [
        { name: 'light', status: 'enabled', tier: 1, share: 0.25, first: true, cooling_until: null, reason: 'first' },
        { name: 'heavy', share: 0.75, keys: [{ on: true, cooldown_until: null }] },
        { name: 'later', tier: 2, first: false, serves: true },
        { name: 'off', status: 'disabled', tier: null, serves: false, reason: 'off', why: 'switched off' },
      ],
    })
  })
})

it('people read tables with bars, in their language', async () => {
  expect((await here(['models'])).stdout).toMatch(/MODEL +CHANNELS ON[^]*unpriced +1 +0 +missing/)
  expect((await here(['models', '--language', 'zh'])).stdout).toMatch(/模型 +启用的渠道[^]*缺失/)
  expect((await here(['route', 'simulate', '--model', 'two'])).stdout).toMatch(
    /heavy +1 +75\.0% +750 +█{15} +tried first/,
  )
  const { stdout } = await here(['route', 'explain', '--model', 'two', '--language', 'zh'])
  expect(stdout).toMatch(/最先尝试[^]*更高优先级的渠道全部失败后尝试[^]*已停用[^]*失败的调用会在分组 default 中尝试/)
  expect((await here(['route', 'simulate', '--model', 'x', '--language', 'zh'])).stdout).toBe(
    '没有渠道向分组 default 提供 x。\n',
  )
})

it('no call is lost where the shares do not divide', () => {
  const third = { share: 1 / 3 } as Parameters<typeof simulateRoute>[0][number]
  expect(simulateRoute([third, third, third], 100).map(({ calls }) => calls)).toEqual([34, 33, 33])
})

it.each(ROUTE_REASON_CODES)('the reason %s is said in both languages, with what it depends on', (reason) => {
  const said = describeRouteReason({ reason, max_input_tokens: 9, cause: 'no {credit}' })
  expect(said.en).toMatch(/^[a-z]/)
  expect(said.zh).toMatch(/^[一-鿿]/)
  for (const text of Object.values(said)) {
    expect(text.includes('9')).toBe(reason === 'prompt_too_long')
    expect(text.includes('no {credit}')).toBe(reason === 'off_by_cause')
    expect(text).not.toMatch(/\{(tokens|cause)\}/)
  }
})
