// The pages for nginx and Caddy in examples/deploy/, in front of two gateways that are served from source; Debian's nginx and
// caddy: npx tsx test/operations/proxies.ts [--only nginx|caddy]. Fails where a stream is held back, a silence ends a call,
// the caller's address is another's, WebSockets do not pass, or a call is lost when a gateway goes.
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { WebSocket } from 'ws'
import { addAccount, setUp, startBuiltServer } from '../support/built-server.ts'
import { databaseOfScript } from '../support/postgres-server.ts'
import { done, created, REALTIME_MODEL } from '../support/realtime-session.ts'
import { startRealtimeUpstream } from '../support/realtime-upstream.ts'
import { send } from '../support/server.ts'
import { chatReply, chatStream, startUpstream } from '../support/upstream.ts'
import { fronts, versionOf } from './front.ts'

const { values } = parseArgs({ options: { only: { type: 'string' }, silence: { type: 'string', default: '70' } } })
const room = await mkdtemp(join(tmpdir(), 'weir-proxies-'))
const say = (line: string) => process.stdout.write(`${line}\n`)
const problems: string[] = []
/** Not the proxy's own. */
const BOUND_TO = '127.0.0.2'

const { database = '', stop } = await databaseOfScript('postgres')
const upstream = await startUpstream()
const realtime = await startRealtimeUpstream()
const env = (name: string) => ({
  ...{ WEIR_DATA: join(room, name), DATABASE_URL: database, WEIR_SECRET: 'one secret for both', LOG_LEVEL: 'error' },
})
const gateways = [await startBuiltServer(env('a'))]
try {
  const root = await setUp(env('a'), gateways[0]!.url)
  gateways.push(await startBuiltServer(env('b')))
  const { client } = root
  await client.settings.update({ key: 'TrustedProxies', value: '["127.0.0.1"]' })
  const models = ['chat', REALTIME_MODEL]
  await client.settings.update({
    key: 'ModelRatio',
    value: JSON.stringify(Object.fromEntries(models.map((model) => [model, 1]))),
  })
  const channel = { type: 1, key: 'k' }
  await client.channels.create({ ...channel, name: 'chat', models: 'chat', base_url: upstream.url })
  await client.channels.create({ ...channel, name: 'live', models: REALTIME_MODEL, base_url: realtime.url })
  const { visitor } = await addAccount(root, gateways[0]!.url, 'ada', 1_000_000_000)
  const token = async (more: object) =>
    `sk-${(await visitor.client.tokens.create({ name: 'proxied', unlimited_quota: true, ...more })).key}`
  const keys = { any: await token({}), bound: await token({ allow_ips: BOUND_TO }) }
  for (const [name, start] of Object.entries(fronts)) {
    if (values.only !== undefined && values.only !== name) continue
    say(versionOf[name]!())
    const front = await start(
      room,
      gateways.map(({ url }) => new URL(url).host),
    )
    // Caddy has asked each gateway whether it is ready by then.
    await pause(2_500)
    try {
      await tryAll(name, front.url, keys)
    } finally {
      await front.end()
    }
  }
} finally {
  for (const { child, ended } of gateways) {
    child.kill('SIGTERM')
    await ended
  }
  await Promise.all([upstream.close(), realtime.close()])
  await stop()
  await rm(room, { recursive: true, force: true })
}
for (const problem of problems) say(`WRONG: ${problem}`)
say(problems.length === 0 ? 'all is well' : `${problems.length} things went wrong`)
process.exitCode = problems.length === 0 ? 0 : 1

async function tryAll(name: string, url: string, keys: { any: string; bound: string }) {
  const key = keys.any
  const check = async (what: string, holds: () => Promise<string | boolean>) => {
    const found = await holds().catch((error: unknown) => `${String(error)}`)
    say(`  ${found === true ? 'yes' : 'NO '}  ${what}${typeof found === 'string' ? `: ${found}` : ''}`)
    if (found !== true) problems.push(`${name}: ${what}: ${String(found)}`)
  }
  const chat = (body: object, headers = {}) =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'chat', messages: [{ role: 'user', content: 'hello' }], ...body }),
    })
  const usage = { prompt_tokens: 3, completion_tokens: 4 }

  await check('a stream comes event by event: the first is there long before the last is sent', async () => {
    let sent = 0
    upstream.reply(() => ((sent = Date.now()), chatStream(['a', 'b', 'c', 'd'], usage, { gap_ms: 1000 })))
    const answer = await chat({ stream: true })
    let first = 0
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of answer.body!) {
      first ||= Date.now()
      text += decoder.decode(chunk as Uint8Array, { stream: true })
    }
    const [begun, over] = [first - sent, Date.now() - sent]
    return (
      (begun < over / 2 && text.trimEnd().endsWith('[DONE]')) || `first event after ${begun} ms, last after ${over} ms`
    )
  })
  await check(`a model that says nothing for ${values.silence} s is waited for`, async () => {
    upstream.reply(chatReply('at last', usage, { latency_ms: Number(values.silence) * 1000 }))
    const answer = await chat({})
    return (answer.status === 200 && (await answer.text()).includes('at last')) || `status ${answer.status}`
  })
  await check('Weir knows the caller, and believes nothing that the caller says of itself', async () => {
    upstream.reply(chatReply('x', usage))
    const from = (localAddress: string, claimed?: string) =>
      statusFrom(localAddress, `${url}/v1/chat/completions`, {
        authorization: `Bearer ${keys.bound}`,
        ...(claimed === undefined ? {} : { 'x-forwarded-for': claimed }),
      })
    const found = [await from(BOUND_TO), await from(BOUND_TO, '198.51.100.1'), await from('127.0.0.3', BOUND_TO)]
    return found.join() === '200,200,403' || `status ${found.join(', ')}`
  })
  await check('a body of 20 MiB passes', async () => {
    const answer = await chat({ messages: [{ role: 'user', content: 'x'.repeat(20 * 1024 * 1024) }] })
    await answer.text()
    return answer.status === 200 || `status ${answer.status}`
  })
  await check('realtime sessions pass, both ways', async () => {
    realtime.session((socket) => {
      socket.send(JSON.stringify({ type: 'session.created', session: { id: 's' } }))
      socket.on('message', () => {
        socket.send(JSON.stringify(created('r1')))
        socket.send(JSON.stringify(done('r1')))
      })
    })
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?model=${REALTIME_MODEL}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const types: string[] = []
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject)
      socket.on('close', () => resolve())
      socket.on('message', (data) => {
        const { type } = JSON.parse(String(data)) as { type: string }
        types.push(type)
        if (type === 'session.created') socket.send(JSON.stringify({ type: 'response.create' }))
        if (type === 'response.done') socket.close()
      })
      setTimeout(() => (socket.terminate(), resolve()), 15_000).unref()
    })
    return types.includes('response.done') || `only ${types.join(', ')} came`
  })
  await check('/metrics is for nobody outside, /readyz is', async () => {
    const [metrics, ready] = await Promise.all([send('GET', `${url}/metrics`), send('GET', `${url}/readyz`)])
    return (metrics.status === 404 && ready.status === 200) || `${metrics.status} and ${ready.status}`
  })
  await check('a gateway that goes takes no call with it', async () => {
    upstream.reply(chatStream(['a', 'b', 'c'], usage, { gap_ms: 200 }))
    let failed = ''
    let over = false
    let made = 0
    const caller = async () => {
      while (!over) {
        const answer = await chat({ stream: true }).catch((error: unknown) => String(error))
        const text = typeof answer === 'string' ? answer : await answer.text().catch((error: unknown) => String(error))
        made += 1
        if (!text.trimEnd().endsWith('[DONE]')) failed ||= text
      }
    }
    const callers = Promise.all(Array.from({ length: 6 }, caller))
    await pause(2_000)
    const going = gateways.pop()!
    going.child.kill('SIGTERM')
    await going.ended
    await pause(2_000)
    over = true
    await callers
    // The page still names its port.
    gateways.push(await startBuiltServer(env('b'), { port: Number(new URL(going.url).port) }))
    return failed === '' || `of ${made} calls one got: ${failed}`
  })
}

/** A call from one of this machine's addresses. */
function statusFrom(localAddress: string, url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const more = { ...headers, 'content-type': 'application/json' }
    const asked = request(url, { method: 'POST', localAddress, headers: more })
    asked.on('error', reject)
    asked.on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.end(JSON.stringify({ model: 'chat', messages: [{ role: 'user', content: 'hello' }] }))
  })
}
