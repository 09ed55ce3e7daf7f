// Attacks by files that calls refer to: a few bytes make the gateway fetch, store and send many. Fetched bytes count
// like sent ones, each file is fetched once in a call, and a user has few concurrent fetches.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { MAX_FETCHES_PER_FILE } from '../../core/relay/fetch-file.ts'
import { FilePlaceholders } from '../../core/relay/files.ts'
import type { Caller } from '../support/caller.ts'
import { callerFormats } from '../support/formats.ts'
import { describeWithGateway, eventually } from '../support/gateway.ts'
import { MIB } from '../support/hostile.ts'
import { anthropicMaker } from '../support/makers/anthropic.ts'
import { openaiMaker } from '../support/makers/openai.ts'
import { send } from '../support/server.ts'
import { errorPage, type Answerer } from '../support/upstream.ts'

const OLLAMA = 4

/** A request of each format that points at a file, by the format's name. */
const POINTING: Record<string, (model: string, url: string) => [path: string, body: object]> = {
  'openai-chat': (model, url) => [
    '/v1/chat/completions',
    { model, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] },
  ],
  'openai-responses': (model, image_url) => [
    '/v1/responses',
    { model, input: [{ role: 'user', content: [{ type: 'input_image', image_url }] }] },
  ],
  'anthropic-messages': (model, url) => [
    '/v1/messages',
    {
      ...{ model, max_tokens: 9 },
      messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }],
    },
  ],
  'gemini-generate': (model, fileUri) => [
    `/v1beta/models/${model}:generateContent`,
    { contents: [{ role: 'user', parts: [{ fileData: { fileUri, mimeType: 'image/png' } }] }] },
  ],
}
const pointing = callerFormats.filter(({ name }) => name !== 'openai-completions')

describeWithGateway('a file that a call points at', (weir) => {
  let site: Server
  let address: string
  const asked: string[] = []
  const held: ServerResponse[] = []
  const large = Buffer.from(Array.from({ length: 3 * MIB }, (_, at) => (at * 7) % 251))

  beforeAll(async () => {
    site = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.writeHead(200, { 'content-type': 'image/png' })
      if (request.url?.startsWith('/slow')) return void held.push(response)
      response.end(request.url?.startsWith('/large') ? large : Buffer.alloc(MIB - 2000, 7))
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    afterAll(() => {
      site.closeAllConnections()
      site.close()
    })
  })

  beforeEach(async () => {
    asked.length = 0
    held.length = 0
    weir.upstream.requests.length = 0
    await weir.set('AllowedNetworks', ['127.0.0.0/8'])
    weir.upstream.reply(answer)
  })

  const answer: Answerer = (request) =>
    (request.path.endsWith('/v1/messages') ? anthropicMaker : openaiMaker).say({ text: 'Hello' }, request)
  const rich = { quota: 1_000_000_000 }
  const ask = (caller: Caller, format: string, file: string, signal?: AbortSignal) => {
    const [path, body] = POINTING[format]!(weir.model, `${address}${file}`)
    const headers = { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' }
    return fetch(weir.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    })
  }

  it('goes out byte for byte from every format', async () => {
    await weir.addChannel({ type: OLLAMA })
    const ada = await weir.addCaller(rich)
    for (const { name } of pointing) {
      expect((await ask(ada, name, '/large.png')).status, name).toBe(200)
      const sent = Buffer.from(weir.upstream.requests.at(-1)!.body).toString('latin1')
      expect(sent.includes(large.toString('base64')), name).toBe(true)
    }
  })

  it('is fetched once in a call, however many channels are tried', async () => {
    for (const priority of [3, 2, 1]) await weir.addChannel({ type: OLLAMA, priority })
    const ada = await weir.addCaller(rich)
    await weir.set('RetryTimes', 3)
    for (const { name } of pointing) {
      asked.length = weir.upstream.requests.length = 0
      weir.upstream.reply((request, turn) => (turn % 3 === 2 ? answer(request, turn) : errorPage(500)))
      expect((await ask(ada, name, '/once.png')).status, name).toBe(200)
      expect(weir.upstream.requests, name).toHaveLength(3)
      expect(asked, name).toEqual(['/once.png'])
    }
  })

  it('counts among the bytes of its caller until the call is over, in every format', async () => {
    await weir.addChannel({ type: OLLAMA })
    await weir.set('relay.max_body_megabytes', 1)
    const bob = await weir.addCaller(rich)
    for (const { name } of pointing) {
      const ada = await weir.addCaller(rich)
      weir.upstream.requests.length = 0
      weir.upstream.reply({ stall: 'before_head' })
      const hanging = new AbortController()
      const calls = Array.from({ length: 4 }, () => ask(ada, name, '/a.png', hanging.signal).catch(() => undefined))
      await expect.poll(() => weir.upstream.requests.length, { timeout: 10_000 }).toBe(4)
      const refused = await ask(ada, name, '/a.png')
      expect([refused.status, refused.headers.get('retry-after')], name).toEqual([429, '1'])
      expect(await refused.text(), name).toContain('Too many bytes of requests are under way')
      weir.upstream.reply(answer)
      expect((await ask(bob, name, '/a.png')).status, name).toBe(200)
      hanging.abort()
      await Promise.all(calls)
      await eventually(
        async () => (await ask(ada, name, '/a.png')).status,
        (status) => status === 200,
        10_000,
      )
    }
  })

  it('counts as often as it is sent', async () => {
    await weir.addChannel({ type: OLLAMA })
    await weir.set('relay.max_body_megabytes', 1)
    const ada = await weir.addCaller(rich)
    const part = { type: 'image_url', image_url: { url: `${address}/a.png` } }
    const answer = await ada.chat({ messages: [{ role: 'user', content: [part, part] }] })
    expect([answer.status, answer.json.error.code]).toEqual([400, 'file_unreachable'])
    expect(weir.upstream.requests).toHaveLength(0)
  })

  it('waits where many of its caller are being fetched, and no neighbour waits', async () => {
    await weir.addChannel({ type: OLLAMA })
    const [ada, bob] = [await weir.addCaller(rich), await weir.addCaller(rich)]
    const calls = Array.from({ length: 3 * MAX_FETCHES_PER_FILE }, (_, at) => ask(ada, 'openai-chat', `/slow${at}.png`))
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(MAX_FETCHES_PER_FILE)
    expect((await ask(bob, 'openai-chat', '/b.png')).status).toBe(200)
    expect((await send('GET', `${weir.url}/api/status`)).status).toBe(200)
    expect(held).toHaveLength(MAX_FETCHES_PER_FILE)
    let ended = 0
    const answers = Promise.all(calls)
    await eventually(
      () => {
        for (const response of held.slice(ended)) response.end('PNG')
        return (ended = held.length)
      },
      (count) => count === calls.length,
      10_000,
    )
    expect((await answers).map(({ status }) => status)).toEqual(calls.map(() => 200))
  })
})

it('marks are filled with base64, or with text where a format has decoded it; other words stay as they are', async () => {
  let letters = 0
  const random = { number: () => 0, text: (length: number) => String(++letters).padStart(length, 'x') }
  const marks = new FilePlaceholders(random, undefined)
  const parts = (text: string) => [text.slice(0, 8), text.slice(8)].map((part) => Buffer.from(part))
  const file = (bytes: Buffer, is_text: boolean) => {
    const base64 = parts(bytes.toString('base64'))
    return { type: 'any/thing', base64, length: bytes.length, is_text }
  }
  const text = 'A "quoted" line\nand söme more'
  const [words, picture] = [
    marks.add(file(Buffer.from(text), true)),
    marks.add(file(Buffer.from([0, 255, 254, 3, 9]), false)),
  ]
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(picture, 'base64'))).toThrow()
  const request = { a: words, b: [picture, `data:x;base64,${picture}`], c: atob(words), d: 'xxxx' }
  const filled = await marks.fill(Buffer.from(JSON.stringify(request)))
  expect(JSON.parse(Buffer.from(filled).toString())).toEqual({
    a: Buffer.from(text).toString('base64'),
    b: ['AP/+Awk=', 'data:x;base64,AP/+Awk='],
    c: text,
    d: 'xxxx',
  })
  const plain = Buffer.from('{"a":"b"}')
  expect(await marks.fill(plain)).toBe(plain)
})
