// The rules of HTTP for requests and answers: encodings, methods, targets, conditions, caches. They are the same for
// API and relay.
import { createConnection } from 'node:net'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { describeWithGateway, MODEL } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

const filled = (path: string) => path.replace(/\/$/, '').replace(/\{\w+\}/g, '1')

describeWithGateway('HTTP', (weir) => {
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    send(method, weir.url + path, { headers })

  it('answers whatever its reader accepts', async () => {
    const wishes = [
      '*;q=0',
      'identity;q=0',
      'identity;q=0, *;q=0',
      'gzip;q=0',
      'nothing-known',
      'br;q=0.5, ;q=',
      '\u00ff',
    ]
    for (const wish of wishes) {
      for (const path of ['/api/openapi.json', '/api/status', '/']) {
        expect((await get(path, { 'accept-encoding': wish })).status, `${path} for ${wish}`).toBe(200)
      }
    }
  })

  it('packs an answer as its reader likes it best', async () => {
    const packed = async (wish: string) => {
      const { headers, body } = await request(`${weir.url}/api/status`, { headers: { 'accept-encoding': wish } })
      return { how: headers['content-encoding'], bytes: Buffer.from(await body.arrayBuffer()) }
    }
    const br = await packed('gzip, deflate, br')
    expect(br.how).toBe('br')
    const gzip = await packed('gzip')
    expect(gzip.how).toBe('gzip')
    expect(brotliDecompressSync(br.bytes)).toEqual(gunzipSync(gzip.bytes))
  })

  it('sends nobody what they have already, and counts who asks for the document', async () => {
    for (const path of ['/api/openapi.json', '/']) {
      const { headers, text } = await get(path)
      expect(text.length).toBeGreaterThan(100)
      const again = await get(path, { 'if-none-match': String(headers.etag) })
      expect([again.status, again.text], path).toEqual([304, ''])
      expect((await get(path, { 'if-none-match': '"another"' })).status).toBe(200)
    }
    await weir.set('ApiRateLimits', { api: [2, 60] })
    const elsewhere = { 'x-real-ip': '203.0.113.9' }
    const asked = []
    for (let at = 0; at < 3; at++) asked.push((await get('/api/openapi.json', elsewhere)).status)
    expect(asked).toEqual([200, 200, 429])
  })

  it('answers HEAD wherever it answers GET, and changes nothing by it', async () => {
    const ada = await weir.addCaller()
    const bearer = { authorization: `Bearer ${ada.key}` }
    for (const path of ['/api/status', '/api/openapi.json', '/', '/v1/models', '/v1beta/models']) {
      const { status, text } = await get(path, bearer, 'HEAD')
      expect([status, text], path).toEqual([200, ''])
    }
    for (const [name, { method, path, changes }] of endpointsByName) {
      if (method !== 'GET') continue
      const { status, headers } = await weir.root.send('HEAD', filled(path))
      expect(status === 405, name).toBe(changes === true)
      if (changes) expect(String(headers.allow).split(', '), name).toEqual(expect.arrayContaining(['GET', 'POST']))
    }
  })

  // Every path of the API and of the relay, with every method: openapi.test.ts.
  it('tells who comes with the wrong method which one is right', async () => {
    expect((await get('/api/user/login', {}, 'PATCH')).status).toBe(405)
    expect((await get('/api/nothing', {}, 'PATCH')).status).toBe(404)
    for (const [method, path, allow] of [
      ['GET', '/v1/chat/completions', 'POST, OPTIONS'],
      ['PUT', '/v1/messages', 'POST, OPTIONS'],
      ['POST', '/v1/models', 'GET, HEAD, OPTIONS'],
      ['PUT', '/v1/responses/resp_1', 'DELETE, GET, HEAD, OPTIONS'],
      ['GET', '/pg/chat/completions', 'POST, OPTIONS'],
    ] as const) {
      const { status, headers, json } = await get(path, {}, method)
      expect([status, headers.allow], `${method} ${path}`).toEqual([405, allow])
      expect(json.error.message).toContain(`Method ${method} is not allowed`)
    }
  })

  it('serves targets that name the whole address', async () => {
    const ada = await weir.addCaller()
    for (const [target, found] of [
      [`${weir.url}/api/status`, 'system_name'],
      [`HTTP://other.example/v1/models`, '"data"'],
      [`http://other.example`, '<!doctype html>'],
    ] as const) {
      const answer = await raw(
        `GET ${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ada.key}\r\nconnection: close\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
      expect(answer.toLowerCase()).toContain(found)
    }
  })

  it('reads packed bodies whatever the case of their coding, and says so of codings it does not know', async () => {
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const text = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] })
    const ask = (coding: string, body: Uint8Array | string) =>
      send('POST', `${weir.url}/v1/chat/completions`, {
        headers: { authorization: `Bearer ${ada.key}`, 'content-encoding': coding },
        body,
      })
    for (const coding of ['GZIP', ' gzip', 'X-Gzip']) expect((await ask(coding, gzipSync(text))).status).toBe(200)
    expect((await ask('Identity', text)).status).toBe(200)
    for (const coding of ['zstd', 'gzip, br', 'constructor']) {
      const { status, json } = await ask(coding, gzipSync(text))
      expect([status, json.error.code]).toEqual([415, 'unsupported_encoding'])
      const api = await send('POST', `${weir.url}/api/user/login`, {
        headers: { 'content-type': 'application/json', 'content-encoding': coding },
        body: gzipSync('{}'),
      })
      expect([api.status, api.json.code]).toEqual([415, 'request.packed'])
    }
  })

  it('reads bodies with a mark of their byte order, and refuses what is no UTF-8', async () => {
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const chat = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] })
    const login = JSON.stringify({ username: 'root', password: 'wrong' })
    const ask = async (path: string, body: Uint8Array) => {
      const headers = { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' }
      return (await send('POST', weir.url + path, { headers, body })).status
    }
    const marked = (text: string) => Buffer.from(`\ufeff${text}`)
    const broken = (text: string) => Buffer.from(text.replace(/Hi|wrong/, '\u00ff'), 'latin1')
    expect([await ask('/v1/chat/completions', marked(chat)), await ask('/api/user/login', marked(login))]).toEqual([
      200, 200,
    ])
    expect([await ask('/v1/chat/completions', broken(chat)), await ask('/api/user/login', broken(login))]).toEqual([
      400, 400,
    ])
  })

  it('never gives the page for what is no page', async () => {
    for (const path of [
      '/assets/nothing.js',
      '/favicon.ico',
      '/.env',
      '/.git/config',
      '/a/b.php',
      '/v1',
      '/v1/nothing',
      '/api',
      '/api/nothing',
    ]) {
      const { status, text } = await get(path)
      expect([status, /<html/i.test(text)], path).toEqual([404, false])
    }
  })

  it('says what may be kept, and that nothing is to be guessed', async () => {
    const page = await get('/pricing/gpt-4.1')
    expect(page.text).toContain('<html')
    expect(page.headers['cache-control']).toBe('no-cache')
    const [, asset = ''] = /src="\.?\/?(assets\/[^"]+)"/.exec(page.text) ?? []
    expect((await get(`/${asset}`)).headers['cache-control']).toContain('immutable')
    expect((await get('/weir.svg')).headers['cache-control']).not.toContain('immutable')
    for (const path of ['/api/status', '/api/nothing', '/api/user/self']) {
      expect((await get(path)).headers['cache-control'], path).toBe('no-store')
    }
    for (const path of ['/api/status', '/', `/${asset}`, '/assets/nothing.js', '/v1/models', '/v1/nothing']) {
      expect((await get(path)).headers['x-content-type-options'], path).toBe('nosniff')
    }
  })

  it('puts the public status into the page, the same for everybody', async () => {
    const ada = await weir.addCaller({})
    const visitor = weir.visitor()
    await visitor.login(ada.user.username, ada.password)
    await weir.set('SystemName', '</script><b>River')
    const page = await get('/')
    const [, data = ''] = /<script id="status" type="application\/json">(.*?)<\/script>/.exec(page.text) ?? []
    expect(JSON.parse(data)).toEqual((JSON.parse((await get('/api/status')).text) as { data: unknown }).data)
    expect(data).toContain('River')
    expect((await get('/', { cookie: visitor.cookie() })).text).toBe(page.text)
    const { headers, status } = await get('/', { 'if-none-match': String(page.headers['etag']) })
    expect([status, headers['cache-control']]).toEqual([304, 'no-cache'])
    await weir.set('SystemName', 'Lake')
    expect((await get('/', { 'if-none-match': String(page.headers['etag']) })).text).toContain('Lake')
  })

  it('asks browsers to come back encrypted, where they came so', async () => {
    expect((await get('/')).headers['strict-transport-security']).toBeUndefined()
    await weir.set('TrustedProxies', ['127.0.0.1'])
    const { headers } = await get('/', { 'x-forwarded-proto': 'https' })
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  })

  function raw(text: string): Promise<string> {
    const { hostname, port } = new URL(weir.url)
    return new Promise((resolve) => {
      let answer = ''
      const socket = createConnection({ host: hostname, port: Number(port) }, () => socket.write(text))
      socket.on('data', (data) => (answer += data.toString('latin1')))
      socket.on('close', () => resolve(answer))
    })
  }
})
