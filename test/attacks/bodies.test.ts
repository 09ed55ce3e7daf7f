// Attacks by request bodies: nothing is read from a client that may not call or cannot pay, and every read is bounded.
import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createConnection } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { endpointsByName } from '../../core/contracts.ts'
import { describeWithGateway, MODEL } from '../support/gateway.ts'
import { filled, HOSTILE, KIB, LOOKED_INTO, methodOf, MIB, publicPlaces, relayPlaces } from '../support/hostile.ts'
import { send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'
import { soundForm } from '../support/wave.ts'

const withBody = [...endpointsByName].filter(([, { body, changes }]) => body ?? changes)

/** Bytes of a request's body that somebody has read when its answer begins, by the request's id in the test. */
const readOf = new Map<string, number>()
subscribe('http.server.request.start', (told) => {
  const { request, response } = told as { request: IncomingMessage; response: ServerResponse }
  const name = request.headers['x-attack']
  if (typeof name !== 'string') return
  readOf.set(name, 0)
  const emit = request.emit.bind(request)
  request.emit = (event: string, ...given: unknown[]) => {
    if (event === 'data' && !response.headersSent) readOf.set(name, readOf.get(name)! + (given[0] as Buffer).length)
    return emit(event, ...given)
  }
})

describeWithGateway('a body', (weir) => {
  it('is not read of nobody, at any operation that is not public', async () => {
    for (const [name, endpoint] of withBody) {
      if (endpoint.access === 'public') continue
      const answer = await withoutBody(methodOf(endpoint), filled(endpoint.path), ['new-api-user: 1'])
      expect(answer, name).toMatch(/^HTTP\/1\.1 (200|401|403) [^]*"success":false/)
    }
  })

  it('is not read of who may not ask', async () => {
    const user = await weir.addVisitor()
    for (const [name, endpoint] of withBody) {
      if (endpoint.access !== 'admin' && endpoint.access !== 'root') continue
      const known = [`cookie: ${user.cookie()}`, `new-api-user: ${user.user.id}`]
      const answer = await withoutBody(methodOf(endpoint), filled(endpoint.path), known)
      expect(answer, name).toContain('"code":"access.forbidden"')
    }
  })

  describe.each(Object.entries(HOSTILE))('that is %s', (_, { body, headers, status }) => {
    it('does no harm at any public operation', async () => {
      for (const [name, endpoint] of withBody) {
        if (endpoint.access !== 'public') continue
        const answer = await send(methodOf(endpoint), weir.url + filled(endpoint.path), {
          headers: { 'content-type': 'application/json', 'new-api-user': '1', ...headers },
          body,
        })
        expect(status, `${name}: ${answer.status} ${answer.text.slice(0, 200)}`).toContain(answer.status)
        // What takes no input may do what it does.
        if (answer.status !== 200) expect(answer.json.success, name).toBe(false)
      }
    })
  })

  it('is not read on the relay of whom the token does not let in, or who has nothing left', async () => {
    await weir.addChannel()
    const paid = { quota: 1_000_000 }
    const [disabled, banned, poor, used] = await Promise.all([
      weir.addCaller(paid),
      weir.addCaller({ ...paid, patch: { status: 2 } }),
      weir.addCaller({ quota: 0 }),
      weir.addCaller({ ...paid, token: { remain_quota: 0 } }),
    ])
    await weir.gateway.client.tokens.list({})
    await weir.gateway.ports.storage.tokens.update(disabled.token.id, { status: 2 })
    await weir.gateway.ports.storage.announce({ topic: 'tokens', id: disabled.token.id })
    for (const [key, code] of [
      ['sk-nobody', 401],
      [disabled.key, 401],
      [banned.key, 403],
      [poor.key, 403],
      [used.key, 401],
    ] as const) {
      for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/audio/transcriptions']) {
        const answer = await withoutBody('POST', path, [`authorization: Bearer ${key}`])
        expect(answer, `${path} ${key}`).toContain(`HTTP/1.1 ${code} `)
        const packed = ['content-encoding: gzip', 'content-length: 4096', `authorization: Bearer ${key}`]
        expect(await withoutBody('POST', path, packed), path).toContain(`HTTP/1.1 ${code} `)
      }
    }
    const small = await poor.chat()
    expect([small.status, small.json.error.code]).toEqual([403, 'insufficient_user_quota'])
    expect(weir.upstream.requests).toHaveLength(0)
  })

  it('of who may do nothing is read no further than 64 KiB, and not at all where it is packed or of many parts', async () => {
    await weir.addChannel()
    const poor = await weir.addCaller({ quota: 0 })
    const large = { body: Buffer.alloc(MIB, 'x') }
    const bodies: [string, { body: Uint8Array; headers?: Record<string, string> }][] = Object.entries({
      large,
      ...HOSTILE,
      ...LOOKED_INTO,
    })
    const asked: { name: string; most: number; ask: () => Promise<unknown> }[] = []
    const ask = (name: string, method: string, path: string, body: Uint8Array, headers: Record<string, string>) =>
      send(method, weir.url + path, {
        headers: { 'content-type': 'application/json', ...headers, 'x-attack': name },
        body,
      })
    for (const [of, { body, headers = {} }] of bodies) {
      const most = 'content-encoding' in headers || body.length > 64 * KIB ? 0 : 64 * KIB
      for (const { name, method, path } of publicPlaces) {
        if (method === 'GET') continue
        asked.push({ name: `${name} ${of}`, most, ask: () => ask(`${name} ${of}`, method, path, body, headers) })
      }
      for (const { name, method, path } of relayPlaces) {
        const isForm =
          headers['content-type'] !== undefined && /images\/(edits|variations|generations)|transcr|transl/.test(path)
        for (const [who, key, bound] of [
          ['nobody', 'sk-nobody', 0],
          ['poor', poor.key, isForm ? 0 : most],
        ] as const) {
          const id = `${name} ${who} ${of}`
          asked.push({
            name: id,
            most: bound,
            ask: () => ask(id, method, path, body, { ...headers, authorization: `Bearer ${key}` }),
          })
        }
      }
    }
    for (let from = 0; from < asked.length; from += 20) {
      await Promise.all(asked.slice(from, from + 20).map((each) => each.ask().catch(() => undefined)))
    }
    for (const { name, most } of asked) expect(readOf.get(name), name).toBeLessThanOrEqual(most)
    expect(weir.upstream.requests).toHaveLength(0)
  })

  it('that is packed unpacks to no more than a hundred times its size', async () => {
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    const ada = await weir.addCaller({ quota: 1_000_000_000 })
    const ask = (content: string) =>
      send('POST', `${weir.url}/v1/chat/completions`, {
        headers: { authorization: `Bearer ${ada.key}`, 'content-encoding': 'gzip' },
        body: gzipSync(JSON.stringify({ model: MODEL, messages: [{ role: 'user', content }] })),
      })
    const bomb = await ask(' '.repeat(8 * MIB))
    expect(bomb.status).toBe(413)
    expect(bomb.json.error.message).toContain('The body unpacks to more than 100 times its size')
    expect((await ask(' '.repeat(MIB / 2))).status).toBe(200)
  })

  const large = 'x'.repeat(MIB - 2000)
  it.each([
    {
      shape: 'JSON',
      path: '/v1/chat/completions',
      body: () => JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: large }] }),
      reply: chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }),
    },
    {
      shape: 'a form with a file',
      path: '/v1/audio/transcriptions',
      body: () => soundForm(Buffer.from(large), 'whisper-1'),
      reply: { body: { text: 'Hello' } },
    },
  ])('of $shape waits when too many bytes of its caller are under way', async ({ path, body, reply }) => {
    await weir.set('relay.max_body_megabytes', 1)
    const ada = await weir.addCaller({ quota: 1_000_000_000 })
    const bob = await weir.addCaller({ quota: 1_000_000_000 })
    await weir.addChannel({ models: `${MODEL},whisper-1` })
    weir.upstream.reply({ stall: 'before_head' })
    const hanging = new AbortController()
    const ask = async ({ key }: { key: string }, signal?: AbortSignal) => {
      const sent = body()
      const json = typeof sent === 'string' ? { 'content-type': 'application/json' } : undefined
      const headers = { authorization: `Bearer ${key}`, ...json }
      const answer = await fetch(weir.url + path, {
        method: 'POST',
        headers,
        body: sent,
        ...(signal ? { signal } : {}),
      })
      return { status: answer.status, after: answer.headers.get('retry-after'), text: await answer.text() }
    }
    // A connection that an earlier test has left is replaced where it is reset: its request came twice, and is under way once.
    const countHanging = () => Math.min(weir.upstream.open, weir.upstream.requests.length)
    const held = Array.from({ length: 4 }, () => ask(ada, hanging.signal).catch(() => undefined))
    await expect.poll(countHanging, { timeout: 10_000 }).toBe(4)
    const one = await ask(ada)
    expect(one).toMatchObject({ status: 429, after: '1', text: expect.stringContaining('rate_limit_exceeded') })
    held.push(ask(bob, hanging.signal).catch(() => undefined))
    await expect.poll(countHanging, { timeout: 10_000 }).toBe(5)
    hanging.abort()
    await Promise.all(held)
    weir.upstream.reply(reply)
    await expect.poll(async () => (await ask(ada)).status, { timeout: 10_000 }).toBe(200)
  })

  it('of a report of payment is not read before its service is set up, and is small', async () => {
    for (const service of ['epay', 'stripe']) {
      const path = `/api/user/${service}/notify`
      expect(await withoutBody('POST', path, []), service).toMatch(/^HTTP\/1\.1 404 /)
      expect(await withoutBody('POST', path, ['content-length: 100']), service).toMatch(/^HTTP\/1\.1 404 /)
    }
    const set = { ServerAddress: 'https://weir.example', 'stripe.secret_key': 's', 'stripe.webhook_secret': 's' }
    const options = Object.entries(set).map(([key, value]) => ({ key, value }))
    await weir.root.client.settings.update({ options })
    const stripe = '/api/user/stripe/notify'
    expect(await withoutBody('POST', stripe, [])).toMatch(/^HTTP\/1\.1 413 /)
    const small = await send('POST', weir.url + stripe, { body: Buffer.alloc(64 * KIB, 'x') })
    expect(small.status).toBe(400)
  })

  /** What comes back before a single byte of the body was sent. */
  function withoutBody(method: string, path: string, lines: string[]): Promise<string> {
    const { hostname, port } = new URL(weir.url)
    const length = lines.some((line) => line.startsWith('content-length')) ? [] : [`content-length: ${3 * MIB}`]
    const head = [`${method} ${path} HTTP/1.1`, 'host: x', 'content-type: application/json', ...length, ...lines]
    return new Promise((resolve) => {
      let answer = ''
      const socket = createConnection({ host: hostname, port: Number(port) }, () =>
        socket.write(`${head.join('\r\n')}\r\n\r\n`),
      )
      const done = () => {
        socket.destroy()
        resolve(answer)
      }
      socket.setTimeout(20_000, done)
      socket.on('data', (data) => {
        answer += data.toString('latin1')
        if (/\r\n\r\n[^]*\}\s*$/.test(answer)) done()
      })
      socket.on('close', done)
    })
  }
})
