// The guarded client for outgoing requests, against real servers on this machine, which it must not reach unless
// permitted.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isReachableAddress } from '../../../core/adapters/reachable-addresses.ts'
import { createWebClient } from '../../../core/adapters/web.ts'
import { parseJsonBody, readReplyText } from '../../../core/ports/web.ts'

let server: Server
let port: number
let answer: RequestListener
const seen: { method: string; url: string; headers: Record<string, unknown> }[] = []

beforeEach(async () => {
  seen.length = 0
  answer = (_, response) => response.end('{"hello":"there"}')
  server = createServer((request, response) => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers })
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const open = createWebClient({ allowed: () => ['127.0.0.0/8'] })
const closed = createWebClient({ allowed: () => [] })

describe('an address', () => {
  test.each([
    ['127.0.0.1', '0.0.0.0', '10.1.2.3', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1', '198.18.0.1'],
    ['224.0.0.1', '240.0.0.1', '255.255.255.255', '192.0.2.1', '::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1'],
    ['::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001:0:1::', 'fe80::1', 'fc00::1', 'fd00::1'],
    ['fec0::1', 'ff02::1', '2001:db8::1', '100::1', '5f00::1', 'nonsense', ''],
  ])('that is not public is not reached: %s and others', (...addresses) => {
    for (const address of addresses) expect(isReachableAddress(address, []), address).toBe(false)
  })

  test('that is public is', () => {
    for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '::ffff:1.1.1.1']) {
      expect(isReachableAddress(address, []), address).toBe(true)
    }
  })

  test('may be let in by its network, and only by that', () => {
    expect(isReachableAddress('10.1.2.3', ['10.1.0.0/16'])).toBe(true)
    expect(isReachableAddress('::ffff:10.1.2.3', ['10.1.0.0/16'])).toBe(true)
    expect(isReachableAddress('10.2.0.1', ['10.1.0.0/16'])).toBe(false)
    expect(isReachableAddress('fd00::5', ['10.0.0.0/8', 'fd00::/64'])).toBe(true)
    expect(isReachableAddress('fd00::5', ['nonsense', '10.0.0.0/8'])).toBe(false)
  })
})

describe('a request', () => {
  test('reaches what is allowed, whole', async () => {
    const reply = await open.send({
      method: 'POST',
      url: `http://127.0.0.1:${port}/a?b=c`,
      headers: { x: 'y' },
      body: 'z',
    })
    expect(reply.status).toBe(200)
    expect(parseJsonBody(reply)).toEqual({ hello: 'there' })
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/a?b=c', headers: { x: 'y' } })
  })

  test.each([
    (at: number) => `http://127.0.0.1:${at}/`,
    (at: number) => `http://localhost:${at}/`,
    (at: number) => `http://2130706433:${at}/`,
    (at: number) => `http://0x7f.1:${at}/`,
    (at: number) => `http://0177.0.0.1:${at}/`,
    (at: number) => `http://127.1:${at}/`,
    (at: number) => `http://[::1]:${at}/`,
    (at: number) => `http://[::ffff:127.0.0.1]:${at}/`,
    (at: number) => `http://0.0.0.0:${at}/`,
    (at: number) => `http://user:password@1.1.1.1:${at}/`,
    () => 'ftp://1.1.1.1/',
    () => 'file:///etc/passwd',
    () => 'nonsense',
  ])('is refused before anything is sent: %s', async (address) => {
    await expect(closed.send({ method: 'GET', url: address(port) })).rejects.toMatchObject({ code: 'web.refused' })
    expect(seen).toEqual([])
  })

  test('goes to the address that was checked, not to a later answer of the name', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    const asked: string[] = []
    const web = createWebClient({
      allowed: () => ['127.0.0.0/8'],
      resolve: async (host) => {
        asked.push(host)
        return (answers.shift() ?? []).map((address) => ({ address, family: 4 }))
      },
    })
    const url = `http://twice.example:${port}/`
    expect(readReplyText(await web.send({ method: 'GET', url }))).toContain('hello')
    expect(asked).toEqual(['twice.example'])
    expect(seen[0]?.headers.host).toBe(`twice.example:${port}`)
    await expect(web.send({ method: 'GET', url })).rejects.toMatchObject({ code: 'web.refused' })
  })

  test('is refused for a name with a single address that is not public', async () => {
    const resolve = async () => ['1.1.1.1', '127.0.0.1'].map((address) => ({ address, family: 4 }))
    const web = createWebClient({ allowed: () => [], resolve })
    await expect(web.send({ method: 'GET', url: 'http://both.example/' })).rejects.toMatchObject({
      code: 'web.refused',
    })
  })

  test('follows a redirect of its origin, and checks each one', async () => {
    answer = (request, response) =>
      request.url === '/first'
        ? response.writeHead(302, { location: '/second' }).end()
        : response.end(`${request.headers.authorization}`)
    const headers = { authorization: 'secret' }
    const reply = await open.send({ method: 'GET', url: `http://127.0.0.1:${port}/first`, headers })
    expect(readReplyText(reply)).toBe('secret')

    answer = (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    const redirected = open.send({ method: 'GET', url: `http://127.0.0.1:${port}/`, headers })
    await expect(redirected).rejects.toMatchObject({ code: 'web.refused' })
    answer = (_, response) => response.writeHead(302, { location: '/again' }).end()
    const endless = open.send({ method: 'GET', url: `http://127.0.0.1:${port}/` })
    await expect(endless).rejects.toMatchObject({ code: 'web.failed' })
  })

  test('takes no secret to another origin, and no body anywhere', async () => {
    answer = (request, response) =>
      request.headers.host?.startsWith('localhost')
        ? response.end(String(request.headers.authorization))
        : response.writeHead(307, { location: `http://localhost:${port}/` }).end()
    const address = [{ address: '127.0.0.1', family: 4 }]
    const web = createWebClient({ allowed: () => ['127.0.0.0/8'], resolve: async () => address })
    const request = { url: `http://127.0.0.1:${port}/`, headers: { authorization: 'secret' } }
    expect(readReplyText(await web.send({ method: 'GET', ...request }))).toBe('undefined')
    expect((await web.send({ method: 'POST', body: 'x', ...request })).status).toBe(307)
  })

  test('reads no more than it should, and waits no longer', async () => {
    answer = (_, response) => response.end('x'.repeat(5000))
    const url = `http://127.0.0.1:${port}/`
    await expect(open.send({ method: 'GET', url, max_bytes: 4999 })).rejects.toMatchObject({ code: 'web.too_large' })
    answer = (_, response) => void response.write('a little')
    await expect(open.send({ method: 'GET', url, timeout_ms: 200 })).rejects.toMatchObject({ code: 'web.failed' })
    answer = () => undefined
    await expect(open.send({ method: 'GET', url, timeout_ms: 200 })).rejects.toMatchObject({ code: 'web.failed' })
  })
})

describe('a worker', () => {
  const worker = () => ({ url: `http://127.0.0.1:${port}/work`, key: 'the key', plain_http: false })
  const web = createWebClient({ allowed: () => ['127.0.0.0/8'], worker })
  const hook = { method: 'POST', url: 'https://hook.example/in', headers: { 'x-signed': 'yes' }, body: 'news' } as const

  test('is asked for downloads and webhooks, and its answer is theirs', async () => {
    let asked = ''
    answer = (request, response) => {
      request.on('data', (part: Buffer) => (asked += part.toString()))
      request.on('end', () => response.writeHead(202).end('taken'))
    }
    const reply = await web.send({ ...hook, by_worker: true })
    expect([reply.status, readReplyText(reply), seen[0]?.method, seen[0]?.url]).toEqual([202, 'taken', 'POST', '/work'])
    const { url, headers, body } = hook
    expect(JSON.parse(asked)).toEqual({ url, headers, body, key: 'the key', method: 'POST' })
    expect(seen[0]?.headers).not.toHaveProperty('x-signed')
  })

  test('is not asked for anything else', async () => {
    await web.send({ method: 'GET', url: `http://127.0.0.1:${port}/direct` })
    expect(seen.map(({ url }) => url)).toEqual(['/direct'])
  })

  test.each([
    'https://10.0.0.1/',
    'https://[::1]/',
    'http://hook.example/',
    'ftp://hook.example/',
    'https://a:b@hook.example/',
  ])('is not asked for %s', async (url) => {
    await expect(web.send({ ...hook, url, by_worker: true })).rejects.toMatchObject({ code: 'web.refused' })
    expect(seen).toEqual([])
  })

  test('fetches plain http where the operator says so', async () => {
    const plain = createWebClient({ allowed: () => ['127.0.0.0/8'], worker: () => ({ ...worker(), plain_http: true }) })
    expect((await plain.send({ ...hook, url: 'http://pictures.example/1.png', by_worker: true })).status).toBe(200)
  })

  test('that stands at an address which may not be reached is not asked', async () => {
    const inside = createWebClient({ allowed: () => [], worker })
    await expect(inside.send({ ...hook, by_worker: true })).rejects.toMatchObject({ code: 'web.refused' })
    expect(seen).toEqual([])
  })
})
