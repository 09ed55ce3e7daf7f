// The proxies of the environment: which requests use them, by the rules of Go, and that requests really go there.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createChannelGuard } from '../../../core/adapters/channel-guard.ts'
import { readEnvironmentProxies } from '../../../core/adapters/environment-proxies.ts'
import { StartError } from '../../../core/adapters/start-error.ts'
import { createUpstream } from '../../../core/adapters/upstream.ts'
import { createWebClient } from '../../../core/adapters/web.ts'
import type { GatewayError } from '../../../core/errors.ts'
import type { UpstreamRequest } from '../../../core/ports/upstream.ts'

const PROXY = 'http://proxy.test:3128'

describe('the proxy of an address', () => {
  const both = { HTTP_PROXY: PROXY, HTTPS_PROXY: 'http://secure.test:3129' }

  test.each<[url: string, proxy: string | undefined]>([
    ['http://a.test/', PROXY],
    ['ws://a.test/', PROXY],
    ['https://a.test/v1', 'http://secure.test:3129'],
    ['wss://a.test/v1', 'http://secure.test:3129'],
    ['http://localhost:11434/', undefined],
    ['http://127.0.0.1:11434/', undefined],
    ['http://[::1]:11434/', undefined],
  ])('%s: %s', (url, proxy) => {
    expect(readEnvironmentProxies(both).find(url)).toBe(proxy)
  })

  test.each<[list: string, direct: string[], proxied: string[]]>([
    ['a.test', ['http://a.test/', 'https://b.a.test/', 'http://A.test./'], ['http://ba.test/', 'http://a.test.b/']],
    ['.a.test', ['http://b.a.test/'], ['http://b.test/']],
    ['*.a.test , b.test', ['http://x.a.test/', 'http://b.test/'], ['http://c.test/']],
    ['a.test:8080', ['http://a.test:8080/'], ['http://a.test/', 'http://a.test:8081/']],
    ['a.test:443', ['https://a.test/'], ['http://a.test/']],
    ['10.0.0.0/8,192.0.2.7', ['http://10.1.2.3/', 'http://192.0.2.7:81/'], ['http://11.0.0.1/', 'http://192.0.2.8/']],
    ['fd00::/8 [2001:db8::1]', ['http://[fd00::5]/', 'http://[2001:db8::1]/'], ['http://[2001:db8::2]/']],
    ['*', ['http://a.test/', 'https://b.test/'], []],
  ])('NO_PROXY=%s', (list, direct, proxied) => {
    const { find } = readEnvironmentProxies({ HTTP_PROXY: PROXY, https_proxy: PROXY, no_proxy: list })
    expect(direct.map(find)).toEqual(direct.map(() => undefined))
    expect(proxied.map(find)).toEqual(proxied.map(() => PROXY))
  })

  test('needs no scheme, is read in either case, and is described without its password', () => {
    const { find, described } = readEnvironmentProxies({ http_proxy: 'ada:secret@proxy.test:3128', NO_PROXY: 'a.test' })
    expect(find('http://b.test/')).toBe('http://ada:secret@proxy.test:3128')
    expect(find('https://b.test/')).toBeUndefined()
    expect(described).toEqual(['HTTP_PROXY=http://ada:***@proxy.test:3128', 'NO_PROXY=a.test'])
    expect(readEnvironmentProxies({ NO_PROXY: '*', HTTP_PROXY: '' }).described).toEqual([])
  })

  test('that is no address keeps Weir from starting, and is not repeated', () => {
    for (const wrong of ['ftp://user:secret@proxy', 'http://'])
      expect(() => readEnvironmentProxies({ HTTPS_PROXY: wrong })).toThrow(StartError)
    expect(() => readEnvironmentProxies({ HTTPS_PROXY: 'ftp://user:secret@proxy' })).not.toThrow(/secret/)
  })
})

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A proxy that answers plain requests itself and refuses tunnels. */
async function openProxy() {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim())
    response.end('{"by": "proxy"}')
  }).on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url}`)
    socket.end('HTTP/1.1 502 no\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => (server.closeAllConnections(), server.close()))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { seen, proxies: readEnvironmentProxies({ HTTP_PROXY: `http://u:p@${host}`, HTTPS_PROXY: `http://${host}` }) }
}

const request = (url: string, more: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  ...{ method: 'GET', url, headers: {}, guarded: false, headers_timeout_ms: 5000, idle_timeout_ms: 5000 },
  ...more,
})
const signal = AbortSignal.timeout(30_000)

describe('requests', () => {
  test('of channels go to the proxy by their whole address, or through a tunnel', async () => {
    const { seen, proxies } = await openProxy()
    const upstream = createUpstream(undefined, proxies)
    closing.push(() => upstream.close())
    const { status } = await upstream.send(request('http://a.invalid/v1?x=1'), signal)
    expect(status).toBe(200)
    const error = await upstream.send(request('https://a.invalid/v1'), signal).catch((thrown: GatewayError) => thrown)
    expect(error).toMatchObject({ code: 'upstream.unreachable', network: 'network.proxy' })
    await expect(
      upstream.connect({ ...request('wss://b.invalid/v1'), max_frames_per_second: 9 }, signal),
    ).resolves.toMatchObject({ refused: { status: 502 } })
    expect(seen).toEqual([
      `GET http://a.invalid/v1?x=1 Basic ${btoa('u:p')}`,
      'CONNECT a.invalid:443',
      'CONNECT b.invalid:443',
    ])
  })

  test('of guarded channels use it although it is private, and reach no private address by it', async () => {
    const { seen, proxies } = await openProxy()
    const upstream = createUpstream(
      createChannelGuard(() => []),
      proxies,
    )
    closing.push(() => upstream.close())
    await upstream.send(request('http://a.invalid/', { guarded: true }), signal)
    const refused = await upstream.send(request('http://10.0.0.7/', { guarded: true }), signal).catch((e: unknown) => e)
    expect(refused).toMatchObject({ network: 'network.private' })
    expect(seen).toHaveLength(1)
  })

  test('of a channel with a proxy of its own use that one', async () => {
    const { seen, proxies } = await openProxy()
    const own = await openProxy()
    const upstream = createUpstream(undefined, proxies)
    closing.push(() => upstream.close())
    const proxy = own.proxies.find('https://x.test')!
    await upstream.send(request('http://a.invalid/', { proxy }), signal).catch(() => undefined)
    expect([seen, own.seen]).toEqual([[], ['CONNECT a.invalid:80']])
  })

  test('of the web client use it, resolve no name that only the proxy knows, and reach no private address by it', async () => {
    const { seen, proxies } = await openProxy()
    const web = createWebClient({ allowed: () => [], proxies })
    const reply = await web.send({ method: 'GET', url: 'http://a.invalid/hook' })
    expect(new TextDecoder().decode(reply.body)).toBe('{"by": "proxy"}')
    await expect(web.send({ method: 'GET', url: 'http://192.168.0.9/' })).rejects.toMatchObject({ code: 'web.refused' })
    expect(seen).toHaveLength(1)
  })
})
