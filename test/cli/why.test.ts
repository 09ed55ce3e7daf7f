// `weir why` on a real gateway: the last failure, one by its id or its text, for administrators and ordinary users.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROVIDER_ADVICE, REFUSAL_ADVICE } from '../../cli/nouns/failure-advice.ts'
import { errors } from '../../core/errors.data.ts'
import { eventually } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { createVisitor, startTestServer, type TestServer } from '../support/server.ts'
import { runHere } from '../support/terminal.ts'
import { startUpstream, type TestUpstream } from '../support/upstream.ts'
import { leaves } from './commands.data.ts'

let server: TestServer
let upstream: TestUpstream
let key: string
let own: { key: string; env: Record<string, string> }

const run = (args: string[]) => runHere(args, { env: { WEIR_DATA: server.config.data }, columns: 120 })
const runAsUser = (args: string[]) => runHere(args, { env: own.env, columns: 120 })
const json = async (args: string[], runAs = run) => {
  const { code, stdout, stderr } = await runAs([...args, '--json'])
  expect([args, stderr, code]).toEqual([args, '', 0])
  return JSON.parse(stdout) as Json
}

/** Makes a call that fails; resolves with its request id and its message once the log has its row. */
async function failCall(token: string, model: string): Promise<{ id: string; message: string }> {
  const reply = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(reply.ok).toBe(false)
  const { error } = (await reply.json()) as Json
  const id = reply.headers.get('x-request-id') ?? ''
  await eventually(
    () => server.gateway.client.logs.list({ request_id: id }),
    ({ items }) => items.length > 0,
  )
  return { id, message: error.message }
}

beforeAll(async () => {
  server = await startTestServer()
  upstream = await startUpstream()
  upstream.reply({ status: 401, body: { error: { message: 'Incorrect API key provided' } } })
  key = (await json(['init', '--yes'])).token_key
  await run(['settings', 'set', 'AllowedNetworks', '["127.0.0.0/8"]', '--yes'])
  const fields = ['--name', 'keyless', '--key', 'k', '--models', 'gpt-4.1-mini', '--base-url', upstream.url]
  await run(['channels', 'add', '--type', 'openai', ...fields])
  await run(['users', 'create', 'poor', '--quota', '0', '--password', 'a long password'])
  const visitor = createVisitor(server.url)
  await visitor.login('poor', 'a long password')
  const { token } = await visitor.client.users.createAccessToken({ name: 'terminal', scope: 'all' })
  own = { env: { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: token }, key: '' }
  own.key = (await runAsUser(['tokens', 'add', '--name', 'own', '--quiet'])).stdout.trim()
})
afterAll(async () => {
  await server.close()
  await upstream.close()
})

it('says so where no call has failed', async () => {
  for (const args of [['why'], ['logs', 'trace', '--last']])
    expect(await run(args)).toMatchObject({ code: 1, stderr: expect.stringContaining('No failed call was found') })
  expect((await run(['logs', 'trace'])).code).toBe(2)
  expect((await run(['logs', 'trace', 'x', '--last'])).code).toBe(2)
})

describe('an administrator', () => {
  it('reads trace, price, route and what to do of the last failure of all', async () => {
    const { id } = await failCall(key, 'nobody-serves-this')
    const { code, stdout } = await run(['why'])
    expect(code).toBe(0)
    for (const part of [id, 'Weir refused the call', 'Nothing was charged', 'Route of nobody-serves-this'])
      expect(stdout).toContain(part)
    expect(stdout).toContain('  weir channels edit CHANNEL --add-models nobody-serves-this\n')
    expect(await json(['why'])).toMatchObject({ request_id: id, quota: 0, route: { channels: [] } })
    expect((await run(['why', '--quiet'])).stdout).toBe(`${id}\n`)
    expect(await json(['logs', 'trace', '--last'])).toMatchObject({ request_id: id })
  })

  it('finds a failure by its id, by the message with the id, and by a part of the text', async () => {
    const { id, message } = await failCall(key, 'gpt-4.1-mini')
    expect(message).toContain(`(request id: ${id})`)
    await failCall(key, 'nobody-serves-that')
    const channel = (await json(['channels', 'show', 'keyless'])).id
    for (const given of [[id], [message], message.split(' '), ['incorrect API KEY']]) {
      const found = await json(['why', ...given])
      expect([given, found]).toMatchObject([given, { request_id: id, attempts: [{ channel }] }])
      expect(found.advice).toMatchObject([{ command: `weir channels edit ${channel} --key -` }])
    }
    expect((await run(['why', id])).stdout).toContain('Route of gpt-4.1-mini in group default now')
  })

  it('reads of an error without a call what it means, and of no error that nothing has it', async () => {
    expect(await json(['why', 'budget.day'])).toMatchObject({
      code: 'budget.day',
      request_id: null,
      advice: [{ command: 'weir tokens edit TOKEN --budget-day AMOUNT' }],
    })
    expect(await json(['why', 'too many requests, try again later'])).toMatchObject({ code: 'limit.requests' })
    expect((await run(['why', 'limit.requests', '--language', 'zh'])).stdout).toContain('处理办法')
    for (const given of ['no-such-id', 'nobody ever read this'])
      expect(await run(['why', given])).toMatchObject({ code: 1, stdout: '' })
  })
})

it('an ordinary user reads the own last failure, without channels', async () => {
  const { id } = await failCall(own.key, 'sandbox-small')
  const { id: other } = await failCall(key, 'nobody-serves-this')
  const found = await json(['why'], runAsUser)
  expect(found).toMatchObject({ request_id: id, user: 'poor', route: null, attempts: [] })
  expect(found.advice).toMatchObject([{ command: 'weir topups buy AMOUNT' }])
  expect((await runAsUser(['why'])).stdout).not.toContain('Route of')
  expect((await runAsUser(['why', '--language', 'zh'])).stdout).not.toContain('Not enough user quota')
  expect((await runAsUser(['why', other])).code).toBe(1)
  expect((await runAsUser(['why', 'nobody-serves-this'])).code).toBe(1)
  expect(await json(['logs', 'trace', '--last'], runAsUser)).toMatchObject({ request_id: id })
  expect((await json(['why', id])).advice).toMatchObject([{ command: 'weir users topup poor AMOUNT' }])
})

it('every advised command and every error of the rules exists', () => {
  const rules = [...Object.values(REFUSAL_ADVICE), ...Object.values(PROVIDER_ADVICE)]
  const lines = rules.flatMap(({ admin, own: command }) => [admin, command].filter((line) => line != null))
  expect(lines.length).toBeGreaterThan(20)
  const names = leaves.map(([name]) => name).sort((one, other) => other.length - one.length)
  for (const line of lines) {
    const typed = line.replace('{of_user}', ' --user NAME').replace(/^weir (models)$/, 'weir $1 ls')
    const name = names.find((each) => typed.startsWith(`weir ${each}`))
    const [, command] = leaves.find(([each]) => each === name) ?? []
    const known = Object.values(command?.options ?? {}).map(({ flag }) => flag.split(' ')[0])
    expect([line, name, typed.match(/--[\w-]+/g)?.filter((flag) => !known.includes(flag)) ?? []]).toEqual([
      ...[line, expect.any(String), []],
    ])
  }
  const codes = Object.keys(errors)
  for (const code of Object.keys(REFUSAL_ADVICE))
    expect([code, codes.some((each) => each === code || each.startsWith(`${code}.`))]).toEqual([code, true])
})
