// Attacks by the size and the end of a request. The rows are named by their id in the list of attacks.
import { createConnection, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { describeWithGateway, describeWithOwnGateway, type TestGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'

const filled = (path: string) => path.replace(/\{\w+\}/g, '1')

/** Nothing is read of a report whose service is not there. */
const setUpPayments = (weir: TestGateway) =>
  weir.root.client.settings.update({
    options: Object.entries({
      ServerAddress: 'https://weir.example',
      PayAddress: 'https://pay.example/',
      EpayId: '1001',
      EpayKey: 'k',
      'stripe.secret_key': 'sk_test_1',
      'stripe.webhook_secret': 'whsec_1',
    }).map(([key, value]) => ({ key, value })),
  })

describeWithGateway('a request', (weir) => {
  it('B7: every body is bounded in size and depth, also where nobody has signed in', { timeout: 120_000 }, async () => {
    await setUpPayments(weir)
    const deep = (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`
    for (const [name, { method, path, body, changes }] of endpointsByName) {
      if (!body) continue
      const fields = Object.keys(body.shape)
      const text = `{${fields.map((field) => `"${field}":${deep(20_000)}`).join(',')},"${fields[0]}":${deep(5)}}`
      const asked = { headers: { 'content-type': 'application/json' }, body: text }
      const { status } = await weir.root.send(changes ? 'POST' : method, filled(path), asked)
      expect([400, 413], name).toContain(status)
    }
    const large = Buffer.alloc(5 * 1024 * 1024, ' ')
    for (const path of ['/api/user/login', '/api/user/epay/notify', '/api/setup', '/api/user/register']) {
      for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
        const { status } = await send('POST', weir.url + path, { headers: { 'content-type': type }, body: large })
        expect(status, path).toBe(413)
        const packed = await send('POST', weir.url + path, {
          headers: { 'content-type': type, 'content-encoding': 'gzip' },
          body: gzipSync(Buffer.alloc(50 * 1024 * 1024)),
        })
        expect(packed.status, path).toBe(415)
      }
    }
    // A body without end is answered before it ends.
    const endless = await raw(weir.url, (socket) => {
      socket.write('POST /api/user/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n')
      socket.write('transfer-encoding: chunked\r\n\r\n')
      const piece = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`
      const more = () => {
        while (socket.writable && socket.write(piece));
      }
      socket.on('drain', more)
      more()
    })
    expect(endless).toMatch(/^HTTP\/1\.1 413 /)
    await weir.gateway.client.settings.update({ key: 'EpayKey', value: null })
  })

  it('B8: requests whose end is in doubt are refused and their connection closed', async () => {
    const head = (lines: string[]) => `POST /api/user/login HTTP/1.1\r\nhost: x\r\n${lines.join('\r\n')}\r\n\r\n`
    const hidden = 'GET /api/status HTTP/1.1\r\nhost: x\r\n\r\n'
    for (const [what, bytes] of Object.entries({
      'both lengths': `${head(['content-length: 4', 'transfer-encoding: chunked'])}0\r\n\r\n${hidden}`,
      'two lengths': `${head(['content-length: 0', 'content-length: 42'])}${hidden}`,
      'a length with a sign': `${head(['content-length: +5'])}hello`,
      'a bad chunk size': `${head(['transfer-encoding: chunked'])}zz\r\n${hidden}`,
      'a negative chunk size': `${head(['transfer-encoding: chunked'])}-1\r\n${hidden}`,
      'a huge chunk size': `${head(['transfer-encoding: chunked'])}fffffffffffffffff\r\n${hidden}`,
      'an unknown encoding': `${head(['transfer-encoding: chunked, x'])}0\r\n\r\n${hidden}`,
      'a space before the colon': `${head(['content-length : 0'])}${hidden}`,
      'a line that ends in CR alone': 'GET /api/status HTTP/1.1\rhost: x\r\r',
      'a folded line': head(['x-a: b', ' c: d', 'content-length: 0']).replace('\r\n c', '\n c'),
    })) {
      const answer = await raw(weir.url, (socket) => socket.write(bytes))
      expect(answer, what).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer.match(/HTTP\/1\.1 /g), what).toHaveLength(1)
      expect(answer, what).not.toContain('system_name')
    }
  })
})

describeWithOwnGateway(
  'a request in no hurry',
  (weir) => {
    it('B7: a head or a body that comes slowly or never ends is answered 408, at every door', async () => {
      await weir.addChannel()
      await setUpPayments(weir)
      const ada = await weir.addCaller({ quota: 1_000_000 })
      const lines = ['host: x', `authorization: Bearer ${ada.key}`, 'content-type: application/json']
      const paths = ['/v1/chat/completions', '/api/user/login', '/api/user/stripe/notify']
      const ways = [
        ['a length never reached', 'content-length: 60000\r\n\r\n{', ' '],
        ['pieces without end', 'transfer-encoding: chunked\r\n\r\n1\r\n{\r\n', '1\r\n \r\n'],
        ['a head without end', 'x-a: b\r\n', 'x-a: b\r\n'],
      ] as const
      const asked = paths.flatMap((path) => ways.map((way) => [path, ...way] as const))
      // All at once: each has to wait for its time to be over.
      await Promise.all(
        asked.map(async ([path, how, begin, drop]) => {
          let dripping: NodeJS.Timeout | undefined
          const answer = await raw(weir.url, (socket) => {
            socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n${begin}`)
            dripping = setInterval(() => socket.writable && socket.write(drop), 50)
          })
          clearInterval(dripping)
          expect(answer, `${path}: ${how}`).toMatch(/^HTTP\/1\.1 408 /)
        }),
      )
      expect(weir.upstream.requests).toHaveLength(0)
      expect(await weir.gateway.client.quota.verify()).toMatchObject({ ok: true, open_holds: 0 })
    })
  },
  { request_timeout_ms: 500 },
)

/** Everything that comes back on a connection until it is closed, or goes quiet. */
function raw(url: string, write: (socket: Socket) => void): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let text = ''
    const socket = createConnection({ host: hostname, port: Number(port) }, () => write(socket))
    socket.setTimeout(3000, () => socket.destroy())
    socket.on('data', (data) => (text += data.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text))
  })
}
