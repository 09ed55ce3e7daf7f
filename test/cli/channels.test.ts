// `weir channels …` on a real gateway: by id, name and tag, for people and for programs, here and with --server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.ts'
import { runHere } from '../support/terminal.ts'
import { chatReply, chatStream, startUpstream } from '../support/upstream.ts'

let server: TestServer
let access: string
const here = (args: string[], columns = 120) => runHere(args, { env: { WEIR_DATA: server.config.data }, columns })
const there = (args: string[]) => runHere(args, { env: { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: access } })
const json = async <T = Record<string, unknown>>(args: string[], run = here): Promise<T> => {
  const { stdout, stderr } = await run([...args, '--json'])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as T
}
const add = (name: string, ...more: string[]) =>
  json<{ id: number }>(['channels', 'add', '--type', 'sandbox', '--name', name, ...more])

beforeAll(async () => {
  server = await startTestServer()
  await here(['init', '--yes', '--json'])
  access = await json<string>(['call', 'users.accessToken'])
})
afterAll(() => server.close())

describe.each([
  ['in the data folder', here],
  ['with --server', there],
])('%s', (where, run) => {
  it('a channel is added, shown, changed, copied, switched and deleted by its name', async () => {
    const name = `East ${where}`
    const { id } = await json<{ id: number }>(
      ['channels', 'add', '--type', 'sandbox', '--name', name, '--models', 'a,b', '--model-mapping', '{"a":"z"}'],
      run,
    )
    const shown = await json(['channels', 'show', name.toUpperCase()], run)
    expect(shown).toMatchObject({
      ...{ id, name, type: 'sandbox', status: 'enabled', groups: ['default'], models: ['a', 'b'], tag: null },
      ...{ model_mapping: { a: 'z' }, used_quota: 0, used_quota_usd: 0, answered_24h: 0, failed_24h: 0 },
      ...{ tested: null, created: expect.stringMatching(/^\d{4}-.*Z$/), circuits: [] },
    })
    expect(await json(['channels', 'edit', name, '--weight', '7'], run)).toMatchObject({ id, weight: 7 })
    expect(await json(['channels', 'disable', name], run)).toMatchObject({ id, status: 'disabled' })
    expect(await json(['channels', 'enable', String(id)], run)).toMatchObject({ id, status: 'enabled' })
    const twin = await json(['channels', 'copy', name, '--name', `${name} twin`], run)
    expect(twin).toMatchObject({ name: `${name} twin`, weight: 7 })
    const gone = await json<object[]>(['channels', 'rm', name, `${name} twin`, '--yes'], run)
    expect(gone).toMatchObject([{ id }, { name: `${name} twin` }])
    expect(await run(['channels', 'show', name, '--json'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"code":"channel.missing"'),
    })
  })
})

it('--tag is about all channels of a tag, and only those', async () => {
  const [one, other] = [await add('north 1', '--tag', 'north'), await add('north 2', '--tag', 'north')]
  const south = await add('south')
  const ids = [{ id: other.id }, { id: one.id }]
  expect(await json(['channels', 'ls', '--tag', 'north'])).toMatchObject(ids)
  expect(await json(['channels', 'disable', '--tag', 'north'])).toMatchObject(
    ids.map((row) => ({ ...row, status: 'disabled' })),
  )
  expect(await json(['channels', 'ls', '--status', 'disabled', '--type', 'sandbox'])).toMatchObject(ids)
  expect(await json(['channels', 'ls', '--status', 'disabled', '--group', 'vip'])).toEqual([])
  expect(await json(['channels', 'enable', '--tag', 'north'])).toMatchObject(ids)
  expect(await json(['channels', 'edit', '--tag', 'north', '--priority', '4', '--new-tag', 'pole'])).toMatchObject(
    ids.map((row) => ({ ...row, priority: 4, tag: 'pole' })),
  )
  expect(await json(['channels', 'show', 'south'])).toMatchObject({ priority: 0 })
  expect(
    await json(['channels', 'edit', '--tag', 'pole', '--models', 'a,b', '--add-models', 'c,a', '--remove-models', 'b']),
  ).toMatchObject(ids.map((row) => ({ ...row, models: ['a', 'c'] })))
  expect(await json(['channels', 'test', '--tag', 'pole'])).toMatchObject(ids.map((row) => ({ ...row, result: 'ok' })))
  expect(await json(['channels', 'rm', '--tag', 'pole', '--yes'])).toMatchObject(ids)
  const unknown = await here(['channels', 'rm', '--tag', 'pole', '--yes', '--language', 'zh'])
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('没有带标签 "pole" 的渠道') })
  await here(['channels', 'rm', String(south.id), '--yes'])
})

it.each([
  [['channels', 'disable'], '--tag'],
  [['channels', 'rm', '1', '--tag', 'x', '--yes'], '--tag'],
  [['channels', 'rm', '1'], '--yes'],
  [['channels', 'edit', '1'], '--name'],
  [['channels', 'edit', '1', '--enable', '--disable'], '--disable'],
])('%j says which flag is wrong or missing', async (args, flag) => {
  const english = await here(args)
  const chinese = await here([...args, '--language', 'zh'])
  expect([english.code, chinese.code]).toEqual([2, 2])
  expect(english.stderr).toContain(flag)
  expect(chinese.stderr).toContain(flag)
  expect(chinese.stderr).toMatch(/\p{Script=Han}/u)
})

it('of two channels with the same name the ids are told', async () => {
  const [one, other] = [await add('same'), await add('same')]
  const { code, stderr } = await here(['channels', 'test', 'Same', '--json'])
  expect([code, JSON.parse(stderr)]).toMatchObject([1, { code: 'channel.ambiguous' }])
  expect(stderr).toContain(`(${other.id} same-2, ${one.id} same)`)
  await here(['channels', 'rm', String(one.id), String(other.id), '--yes'])
})

it('what came of the last tests is shown without testing', async () => {
  const { id } = await add('untested')
  expect(await json(['channels', 'test', 'untested', '--stored'])).toMatchObject([{ id, result: 'untested' }])
  await here(['channels', 'test', 'untested', '--model', 'sandbox-large'])
  expect(await json(['channels', 'test', 'untested', '--stored'])).toMatchObject([
    { id, result: 'ok', model: 'sandbox-large', tested: expect.stringMatching(/Z$/) },
  ])
  await here(['channels', 'test', 'untested'])
  const history = await json<object[]>(['channels', 'test', 'untested', '--history'])
  expect(history).toMatchObject([{ result: 'ok' }, { result: 'ok', model: 'sandbox-large' }])
  expect((await here(['channels', 'test', '--history'])).code).toBe(2)
  const { stdout } = await here(['channels', 'test', 'untested', '--stored', '--language', 'zh'])
  expect(stdout).toMatch(/结果[^]*正常/)
  await here(['channels', 'rm', 'untested', '--yes'])
})

it('repair cleans lists up, and rm --disabled deletes what is off, and asks', async () => {
  const off = [await add('off 1'), await add('off 2')].map(({ id }) => id)
  const { id: on } = await add('on')
  await server.gateway.ports.storage.channels.update(on, { models: ' a,a ,b' })
  expect(await json(['channels', 'repair'])).toEqual({ changed: 1 })
  expect(await json(['channels', 'repair'])).toEqual({ changed: 0 })
  expect((await here(['channels', 'rm', '--disabled', '--json', '--yes'])).stdout.trim()).toBe('[]')
  await here(['channels', 'disable', 'off 1', 'off 2'])
  expect((await here(['channels', 'rm', '--disabled'])).code).toBe(2)
  expect((await here(['channels', 'rm', 'on', '--disabled', '--yes'])).code).toBe(2)
  expect(await json(['channels', 'rm', '--disabled', '--yes'])).toMatchObject(off.map((id) => ({ id })).reverse())
  expect(await json(['channels', 'show', 'on'])).toMatchObject({ id: on, models: ['a', 'b'] })
  await here(['channels', 'rm', 'on', '--yes'])
})

describe('a channel with a provider of its own', () => {
  it('is tested before it is saved, and says what models its provider lists', async () => {
    const upstream = await startUpstream()
    await here(['settings', 'set', 'AllowedNetworks', '["127.0.0.0/8"]', '--yes'])
    const fields = ['--type', 'openai', '--key', 'k', '--base-url', upstream.url]
    upstream.reply({ status: 401, body: { error: { message: 'wrong key' } } })
    const channel = ['channels', 'add', ...fields, '--name', 'tried', '--models', 'gpt-tried', '--test']
    expect(await here(channel)).toMatchObject({ code: 1, stderr: expect.stringContaining('wrong key') })
    expect((await here(['channels', 'show', 'tried'])).code).toBe(1)
    upstream.reply((request) => (request.json?.stream ? chatStream(['Hello']) : chatReply('Hello')))
    const { id } = await json<{ id: number }>(channel)
    upstream.reply({ status: 401, body: { error: { message: 'wrong key' } } })
    expect((await here(['channels', 'edit', 'tried', '--weight', '9', '--test'])).code).toBe(1)
    expect(await json(['channels', 'show', 'tried'])).toMatchObject({ id, weight: 0 })
    upstream.reply({ body: { object: 'list', data: [{ id: 'gpt-new' }] } })
    expect(await json(['channels', 'models', ...fields])).toEqual([
      { model: 'gpt-new', served: false, upstream: null, offered: true },
    ])
    expect((await here(['channels', 'models'])).code).toBe(2)
    expect((await here(['channels', 'models', 'tried', '--type', 'openai'])).code).toBe(2)
    await here(['channels', 'rm', 'tried', '--yes'])
    await upstream.close()
  })

  it('its models are those that it serves beside those that the provider lists; its keys tell who is on', async () => {
    const upstream = await startUpstream()
    upstream.reply({ body: { object: 'list', data: [{ id: 'gpt-new' }, { id: 'gpt-old' }] } })
    await here(['settings', 'set', 'AllowedNetworks', '["127.0.0.0/8"]', '--yes'])
    const fields = ['--name', 'rich', '--key', '-', '--key-mode', 'turn', '--models', 'gpt-old,gone', '--base-url']
    const args = ['channels', 'add', '--type', 'openai', ...fields, upstream.url, '--json']
    const added = await runHere(args, { env: { WEIR_DATA: server.config.data }, input: 'key-one\nkey-two\n' })
    expect(JSON.parse(added.stdout)).toMatchObject({ type: 'openai', several_keys: 'turn' })
    expect(await json(['channels', 'models', 'rich'])).toEqual([
      { model: 'gpt-old', served: true, upstream: null, offered: null },
      { model: 'gone', served: true, upstream: null, offered: null },
    ])
    expect(await json(['channels', 'models', 'rich', '--add', 'gpt-new', '--remove', 'gone', '--provider'])).toEqual([
      { model: 'gpt-old', served: true, upstream: null, offered: true },
      { model: 'gpt-new', served: true, upstream: null, offered: true },
    ])
    upstream.reply({ body: { object: 'list', data: [{ id: 'up-model-a' }, { id: 'gpt-new' }] } })
    await here(['channels', 'edit', 'rich', '--models', 'std,GPT-New', '--model-mapping', '{"std": "Up-Model-A"}'])
    expect(await json(['channels', 'models', 'rich', '--provider'])).toEqual([
      { model: 'std', served: true, upstream: 'Up-Model-A', offered: true },
      { model: 'GPT-New', served: true, upstream: null, offered: true },
    ])
    await here(['channels', 'rm', 'rich', '--yes'])
    await upstream.close()
  })

  it.each([
    ['in the data folder', here, () => ({ WEIR_DATA: server.config.data })],
    ['with --server', there, () => ({ WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: access })],
  ] as const)('its keys are listed, added from standard input, switched and taken out %s', async (where, run, env) => {
    const name = `keyed ${where}`
    const key = (end: string) => `sk-0123456789abcdef-${end}`
    const fields = ['--name', name, '--key', key('one'), '--models', 'm']
    await json(['channels', 'add', '--type', 'openai', '--base-url', 'http://127.0.0.1:9', ...fields], run)
    expect(await json(['channels', 'keys', name], run)).toMatchObject([
      { fingerprint: '', place: 1, ends: 'sk-***one', status: 'enabled', failed_24h: 0, since: null, reason: null },
    ])
    const input = `${key('two')}\n${key('six')}\n`
    const added = await runHere(['channels', 'keys', 'add', name, '--key', '-'], { env: env(), input })
    expect(added).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/added .*: 2\.\nKeys that are on: 3 of 3/),
    })
    const listed = (args: string[]) => json(['channels', 'keys', ...args], run)
    expect(await listed(['disable', name, '1', 'sk-***two'])).toMatchObject([
      { place: 1, ends: 'sk-***one', status: 'disabled', since: expect.stringMatching(/Z$/) },
      { status: 'disabled' },
      { status: 'enabled' },
    ])
    const [{ fingerprint } = { fingerprint: '' }] = await json<{ fingerprint: string }[]>(
      ['channels', 'keys', name],
      run,
    )
    expect(fingerprint).toMatch(/^\w+$/)
    expect(await listed(['enable', name, fingerprint])).toMatchObject([
      { status: 'enabled' },
      { status: 'disabled' },
      {},
    ])
    const tested = await run(['channels', 'test', name, '--key', 'sk-***two', '--json'])
    expect(tested).toMatchObject({ code: 1, stdout: expect.stringContaining('"result": "failed"') })
    for (const args of [
      ['--key', '1'],
      [name, '--key', '9'],
      [name, '--key', '1', '--stored'],
    ])
      expect((await run(['channels', 'test', ...args])).code).toBe(args.length === 3 ? 1 : 2)
    expect((await run(['channels', 'keys', 'rm', name, '1', '3', '--yes', '--json'])).stderr).toContain(
      'channel.last_key',
    )
    expect(await listed(['rm', name, '1', '--yes'])).toMatchObject([{ ends: 'sk-***two' }, { ends: 'sk-***six' }])
    for (const [args, told] of [
      [['rm', name, '9', '--yes'], 'no key "9"'],
      [['disable', name, '2'], 'add another key first'],
    ] as const)
      expect(await run(['channels', 'keys', ...args])).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
    expect(await run(['channels', 'keys', 'rm', name, '1'])).toMatchObject({ code: 2 })
    expect(await run(['channels', 'keys', 'add', name])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--key'),
    })
    const printed = [await run(['channels', 'keys', name]), await run(['channels', 'keys', name, '--json'])]
    expect(JSON.stringify(printed)).not.toContain('0123456789')
    await run(['channels', 'rm', name, '--yes'])
  })
})

it('names stand wherever ids do: of channels and tokens, in prices, alerts, routes and bodies', async () => {
  const { id } = await add('Named', '--models', 'named-model')
  const token = await json<{ id: number }>(['tokens', 'add', '--name', 'named-token'])
  await here(['prices', 'set', 'named-model', '--input', '3', '--channel', 'Named'])
  const bought = await json<{ channel: string }[]>(['prices', 'ls', '--search', 'named-model', '--bought'])
  expect(bought.map(({ channel }) => channel)).toContain(String(id))
  expect((await here(['prices', 'rm', 'named-model', '--channel', 'Named', '--yes'])).code).toBe(0)
  const kind = ['--kind', 'error_rate', '--threshold', '20']
  const rule = await json(['alerts', 'add', '--name', 'named', ...kind, '--channel', 'Named'])
  expect(rule).toMatchObject({ channel: id })
  expect(await json(['alerts', 'edit', 'named', '--channel', '0'])).toMatchObject({ channel: null })
  expect(await json(['alerts', 'edit', 'named', '--channel', 'Named'])).toMatchObject({ channel: id })
  expect((await here(['alerts', 'preview', ...kind, '--channel', 'Named'])).code).toBe(0)
  const route = async (...flags: string[]) =>
    (await here(['route', 'explain', '--model', 'named-model', ...flags, '--json'])).stdout
  expect(await route('--without', 'Named')).toBe(await route('--without', String(id)))
  expect(await route('--without', 'Named')).not.toBe(await route())
  expect(await route('--token', 'named-token')).toBe(await route('--token', String(token.id)))
  const recipient = 'age1lggyhqrw2nlhcxprm67z43rta597azn8gknawjehu9d9dl0jq3yqqvfafg'
  const key = await json(['bodies', 'on', '--recipient', recipient, '--tokens', 'named-token'])
  expect(JSON.stringify(key)).toContain(String(token.id))
  const unknown = await here(['prices', 'set', 'named-model', '--input', '3', '--channel', 'Nameed'])
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('Did you mean Named?')])
})
