// Every way out of Weir against every fault of a network, over real sockets: each is named, and named alike.
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asUntranslatedText } from '../../../cli/language.ts'
import { createHttpSend } from '../../../cli/connection/http-send.ts'
import { createOidcClient } from '../../../core/adapters/sign-in.ts'
import { classifyNetworkFailure } from '../../../core/adapters/start-error.ts'
import { createUpstream } from '../../../core/adapters/upstream.ts'
import { createMailer } from '../../../core/adapters/smtp.ts'
import { createWebClient } from '../../../core/adapters/web.ts'
import { errors, GatewayError, type NetworkCode } from '../../../core/errors.ts'

const SHORT_MS = 300
const servers: Server[] = []
const upstream = createUpstream()

/** A server that does this with every connection; gives its port. */
async function listening(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => serve(socket.on('error', () => {})))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Where each fault is met, as scheme, host and port. */
const faults = {} as Record<
  'name' | 'refused' | 'tls' | 'broken' | 'timed_out',
  { host: string; port: number; tls?: true }
>
const proxies: Record<string, string> = {}

beforeAll(async () => {
  const plain = await listening((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n\r\n')))
  const rude = await listening((socket) => socket.once('data', () => socket.destroy()))
  const silent = await listening((socket) => void socket.resume())
  const shut = await listening(() => {})
  await new Promise((resolve) => servers.at(-1)?.close(resolve))
  faults.name = { host: 'no-such-host.invalid', port: 80 }
  faults.refused = { host: '127.0.0.1', port: shut }
  faults.tls = { host: '127.0.0.1', port: plain, tls: true }
  faults.broken = { host: '127.0.0.1', port: rude }
  faults.timed_out = { host: '127.0.0.1', port: silent }
  const refusing = await listening((socket) => socket.once('data', () => socket.end('HTTP/1.1 403 No\r\n\r\n')))
  proxies['is not there'] = `http://127.0.0.1:${shut}`
  proxies['has no name'] = 'http://no-such-proxy.invalid:80'
  proxies['hangs up'] = `http://127.0.0.1:${rude}`
  proxies.refuses = `http://127.0.0.1:${refusing}`
  proxies['is a socks proxy that is not there'] = `socks5://127.0.0.1:${shut}`
})
afterAll(async () => {
  await upstream.close()
  for (const server of servers) server.close()
})

type Place = (typeof faults)['name'] & { proxy?: string }
const http = ({ host, port, tls }: Place) => `http${tls ? 's' : ''}://${host}:${port}/x`
const open = createWebClient({ allowed: () => ['127.0.0.0/8', '::1/128'] })
const limits = { guarded: false, headers_timeout_ms: 60_000, idle_timeout_ms: 60_000 }

const ways: Record<string, (place: Place) => Promise<unknown>> = {
  'a call': ({ proxy, ...place }) => {
    const request = { method: 'GET', url: http(place), headers: {}, ...limits, ...(proxy ? { proxy } : {}) } as const
    return upstream.send(request, AbortSignal.timeout(place.port === faults.timed_out.port ? SHORT_MS : 5000))
  },
  'a WebSocket': ({ proxy, ...place }) => {
    const signal = AbortSignal.timeout(place.port === faults.timed_out.port ? SHORT_MS : 5000)
    const url = http(place).replace('http', 'ws')
    const request = { url, headers: {}, guarded: false, max_frames_per_second: 10, ...(proxy ? { proxy } : {}) }
    return upstream.connect(request, signal)
  },
  'the guarded way': (place) =>
    open.send({ method: 'GET', url: http(place), timeout_ms: place.port === faults.timed_out.port ? SHORT_MS : 5000 }),
  'OpenID discovery': (place) =>
    createOidcClient({ send: (request) => open.send({ ...request, timeout_ms: SHORT_MS }) }).authorizationUrl(
      { label: 'X', well_known: http(place), client_id: 'a', client_secret: 'b', redirect_uri: 'http://x', scopes: '' },
      { state: 's', nonce: 'n', verifier: 'v'.repeat(43) },
    ),
  mail: ({ host, port }) =>
    createMailer().send(
      { from: { name: 'a', address: 'a@example.com' }, to: ['b@example.com'], subject: 's', html: '', text: '' },
      { host, port, account: '', password: '', tls: false, any_certificate: false },
    ),
}
const failing = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (reply) => new Error(`it answered ${JSON.stringify(reply)}`),
    (error: unknown) => error,
  )

describe.each(Object.keys(ways))('by %s', (way) => {
  // Mail waits for longer than a test may, and has a name of its own for what is wrong with TLS.
  const met = (Object.keys({ name: 0, refused: 0, tls: 0, broken: 0, timed_out: 0 }) as (keyof typeof faults)[]).filter(
    (fault) => way !== 'mail' || fault === 'name' || fault === 'refused',
  )
  it.each(met)('a fault is named in both languages: %s', async (fault) => {
    const error = await failing(ways[way]!(faults[fault]))
    expect(error).toBeInstanceOf(GatewayError)
    const { network, kind, explained } = error as GatewayError
    expect([network, kind]).toEqual([`network.${fault}`, 'upstream'])
    const text = errors[`network.${fault}` as NetworkCode]
    expect(explained.call(error, 'en')).toContain(text.en)
    expect(explained.call(error, 'zh')).toContain(text.zh)
    // Who calls a model is told nothing of what lies behind.
    expect((error as GatewayError).message).not.toContain(text.en)
  })
})

describe.each(['a call', 'a WebSocket'])('through a proxy, %s', (way) => {
  // What a proxy answers to a WebSocket is an answer like another.
  const met = ['is not there', 'has no name', 'hangs up', 'is a socks proxy that is not there']
  it.each(way === 'a call' ? [...met, 'refuses'] : met)('names the proxy where it %s', async (fault) => {
    const proxy = proxies[fault]
    const error = await failing(ways[way]!({ host: '127.0.0.1', port: 9, tls: true, proxy }))
    expect(error).toMatchObject({ code: 'upstream.unreachable', network: 'network.proxy' })
  })
})

it('a request that is not even connected ends with its signal', async () => {
  const stop = new AbortController()
  const request = { method: 'GET', url: 'http://127.0.0.1:9/', headers: {}, ...limits } as const
  const asked = failing(upstream.send({ ...request, proxy: proxies['hangs up']! }, stop.signal))
  stop.abort(new GatewayError('server.stopping'))
  expect(await asked).toMatchObject({ code: 'server.stopping' })
})

describe('in the terminal', () => {
  const words: Record<keyof typeof faults, RegExp> = {
    name: /cannot be resolved \(is the name right\?\)/,
    refused: /connection was refused \(is the server running\?\)/,
    tls: /no secure \(TLS\) connection/,
    broken: /was broken off/,
    timed_out: /timed out/,
  }
  const ask = (place: Place) =>
    failing(
      createHttpSend({
        server: http(place),
        language: 'en',
        label: asUntranslatedText('Weir'),
        patience_ms: place.port === faults.timed_out.port ? SHORT_MS : 5000,
      })('site.status', {}),
    )
  it.each(Object.keys(words) as (keyof typeof faults)[])('a fault is named: %s', async (fault) => {
    const { message } = (await ask(faults[fault])) as Error
    expect(message).toMatch(words[fault])
    expect(message).not.toMatch(/500|bug/)
  })

  it('a proxy that reaches nothing is named', async () => {
    const port = await listening((socket) => socket.once('data', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')))
    const { message } = (await ask({ host: '127.0.0.1', port })) as Error
    expect(message).toMatch(/a proxy in between answered with status 502/)
  })
})

it('names of hosts are not taken for causes', () => {
  const error = Object.assign(new Error('getaddrinfo ENOTFOUND proxy.ssl-timeout.example'), { code: 'ENOTFOUND' })
  expect(classifyNetworkFailure(error)).toBe('network.name')
  expect(classifyNetworkFailure(new Error('something else'))).toBeUndefined()
})
