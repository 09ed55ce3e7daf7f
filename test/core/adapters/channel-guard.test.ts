// Requests of channels that an administrator pointed somewhere: what they connect to, by every kind of connection.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createChannelGuard } from '../../../core/adapters/channel-guard.ts'
import { createUpstream } from '../../../core/adapters/upstream.ts'
import type { GatewayError } from '../../../core/errors.ts'

let server: Server
let port: number
let connections = 0
let listed: string[] = []

beforeEach(async () => {
  listed = []
  connections = 0
  server = createServer((_, response) => void response.end('here')).on('connection', () => (connections += 1))
  // As a proxy it takes every target for itself.
  server.on('connect', (_, client) => {
    client.on('error', () => undefined).write('HTTP/1.1 200 OK\r\n\r\n')
    server.emit('connection', client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  await upstream.close()
  server.closeAllConnections()
  server.close()
  upstream = openUpstream()
})

const local = async (host: string) => [{ address: host === 'public.test' ? '8.8.8.8' : '127.0.0.1', family: 4 }]
const openUpstream = () => createUpstream(createChannelGuard(() => listed, local))
let upstream = openUpstream()

const limits = { headers_timeout_ms: 2_000, idle_timeout_ms: 2_000 }
const send = async (url: string, proxy?: string, guarded = true) => {
  const way = { guarded, ...(proxy ? { proxy } : {}) }
  const asked = { method: 'GET' as const, url, headers: {}, ...way, ...limits }
  return upstream.send(asked, AbortSignal.timeout(2_000)).then(
    async ({ status, body }) => {
      for await (const _ of body);
      return status
    },
    (error: GatewayError) => error.network,
  )
}
const connect = async (url: string, proxy?: string, guarded = true) =>
  upstream
    .connect(
      { url, headers: {}, guarded, max_frames_per_second: 10, ...(proxy ? { proxy } : {}) },
      AbortSignal.timeout(2_000),
    )
    .then(
      (reply) => ('refused' in reply ? reply.refused.status : 101),
      (error: GatewayError) => error.network,
    )

/** Each kind of connection, to each way of writing this machine. */
function cases(): [string, () => Promise<unknown>][] {
  const hosts = ['127.0.0.1', 'private.test', '[::1]', '127.1', '2130706433', '169.254.169.254', '10.0.0.1']
  return [
    ...hosts.flatMap((host): [string, () => Promise<unknown>][] => [
      [`http://${host}`, () => send(`http://${host}:${port}/`)],
      [`https://${host}`, () => send(`https://${host}:${port}/`)],
      [`ws://${host}`, () => connect(`ws://${host}:${port}/`)],
      [`wss://${host}`, () => connect(`wss://${host}:${port}/`)],
      ...['http', 'https', 'socks5'].flatMap((kind): [string, () => Promise<unknown>][] => [
        [`by ${kind}://${host}`, () => send('http://public.test/', `${kind}://${host}:${port}`)],
        [`ws by ${kind}://${host}`, () => connect('ws://public.test/', `${kind}://${host}:${port}`)],
        [`${host} by a public ${kind} proxy`, () => send(`http://${host}:${port}/`, `${kind}://public.test:9`)],
        [`ws ${host} by a public ${kind} proxy`, () => connect(`ws://${host}:${port}/`, `${kind}://public.test:9`)],
      ]),
    ]),
  ]
}

test('no private address is connected to, by whatever kind of connection and however it is written', async () => {
  const wrong: unknown[] = []
  for (const [what, ask] of cases()) {
    const network = await ask()
    if (network !== 'network.private') wrong.push([what, network])
  }
  expect(wrong).toEqual([])
  expect(connections).toBe(0)
})

test('what root lists is connected to, directly and through a proxy, and no longer once it is taken off the list', async () => {
  listed = ['127.0.0.0/8']
  expect(await send(`http://127.0.0.1:${port}/`)).toBe(200)
  expect(await send(`http://private.test:${port}/`)).toBe(200)
  expect(await connect(`ws://127.0.0.1:${port}/`)).toBe(200)
  expect(await send(`http://127.0.0.1:${port}/`, `http://127.0.0.1:${port}`)).toBe(200)
  listed = []
  expect(await send(`http://127.0.0.1:${port}/`)).toBe('network.private')
  expect(await send(`http://private.test:${port}/`)).toBe('network.private')
})

test('a connection that a channel of root keeps open serves no channel of an administrator', async () => {
  expect(await send(`http://127.0.0.1:${port}/`, undefined, false)).toBe(200)
  expect(await connect(`ws://127.0.0.1:${port}/`, undefined, false)).toBe(200)
  expect(await send(`http://127.0.0.1:${port}/`)).toBe('network.private')
})

test('a name is looked up once for each connection, and what was compared is connected to', async () => {
  const asked: string[] = []
  const guard = createChannelGuard(
    () => listed,
    async (host) => (asked.push(host), [{ address: asked.length === 1 ? '127.0.0.1' : '8.8.8.8', family: 4 }]),
  )
  const one = createUpstream(guard)
  const asking = { method: 'GET' as const, url: 'http://rebinding.test/', headers: {}, guarded: true, ...limits }
  await expect(one.send(asking, AbortSignal.timeout(2_000))).rejects.toMatchObject({ network: 'network.private' })
  expect(asked).toEqual(['rebinding.test'])
  await one.close()
})
