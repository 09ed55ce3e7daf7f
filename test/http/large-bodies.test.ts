// Bodies beyond the limit, in every dialect: however they are packed and sent, they are refused with 413 in the caller's
// own words before anybody is asked, and what unpacks to little is served.
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import Anthropic from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { listFailures } from '../support/list-failures.ts'
import { makers } from '../support/makers/index.ts'
import { send } from '../support/server.ts'
import { pickInTurn } from '../support/suite.ts'

const MIB = 1024 * 1024
const MODEL = makers[0]!.model
const tooLarge = expect.stringMatching(/^The request body is larger than 1 MiB \(request id: /)

const openai = { error: { message: tooLarge, type: 'new_api_error', param: null, code: 'request_too_large' } }
const anthropic = {
  type: 'error',
  error: { type: 'request_too_large', message: tooLarge, details: { error_code: 'request_too_large' } },
  request_id: expect.any(String),
}
const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'request_too_large', domain: 'weir' }]
const gemini = { error: { code: 413, message: tooLarge, status: 'INVALID_ARGUMENT', details } }

/** `text` makes the request as long as it is. */
const messages = (text: string) => ({ model: MODEL, messages: [{ role: 'user', content: text }] })
const contents = (text: string) => ({ contents: [{ parts: [{ text }] }] })
const doors: [path: string, body: (text: string) => object, refused: object][] = [
  ['/v1/chat/completions', messages, openai],
  ['/v1/completions', (prompt) => ({ model: MODEL, prompt }), openai],
  ['/v1/responses', (input) => ({ model: MODEL, input }), openai],
  ['/v1/embeddings', (input) => ({ model: MODEL, input }), openai],
  ['/v1/moderations', (input) => ({ model: MODEL, input }), openai],
  ['/v1/rerank', (query) => ({ model: MODEL, query, documents: ['a'] }), openai],
  ['/v1/images/generations', (prompt) => ({ model: MODEL, prompt }), openai],
  ['/v1/audio/speech', (input) => ({ model: MODEL, input, voice: 'alloy' }), openai],
  ['/v1/messages', (text) => ({ ...messages(text), max_tokens: 10 }), anthropic],
  ['/v1/messages/count_tokens', messages, anthropic],
  [`/v1beta/models/${MODEL}:generateContent`, contents, gemini],
  [`/v1beta/models/${MODEL}:streamGenerateContent?alt=sse`, contents, gemini],
  [`/v1beta/models/${MODEL}:countTokens`, contents, gemini],
]
const packings: [encoding: string, pack: (body: string) => Uint8Array][] = [
  ['identity', (body) => Buffer.from(body)],
  ['gzip', (body) => gzipSync(body)],
  // At its best Brotli takes 20 times as long, and makes no less of it.
  ['br', (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
  ['deflate', (body) => deflateSync(body)],
]

describeWithGateway('a body that is too large', (weir) => {
  const ask = (caller: Caller, path: string, encoding: string, body: Uint8Array) =>
    send('POST', `${weir.url}${path}`, {
      headers: {
        authorization: `Bearer ${caller.key}`,
        'content-encoding': encoding,
        'content-type': 'application/json',
      },
      body,
    })

  it('is refused at every address, however it is packed', async () => {
    await weir.set('relay.max_body_megabytes', 1)
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const wrong = await listFailures(
      doors,
      ([path]) => path,
      async (door) => {
        const [path, bodyOf, refused] = door
        const large = JSON.stringify(bodyOf(' '.repeat(1.5 * MIB)))
        for (const [encoding, pack] of pickInTurn(packings, doors.indexOf(door), 2)) {
          const body = pack(large)
          if (encoding !== 'identity') expect(body.length).toBeLessThan(MIB / 16)
          const { status, json } = await ask(ada, path, encoding, body)
          expect([status, json], encoding).toEqual([413, refused])
        }
      },
    )
    expect(wrong).toEqual([])
    expect(weir.upstream.requests).toHaveLength(0)
    expect((await ada.balances()).quota).toBe(1_000_000)
  })

  it('and unpacks without end, takes no memory', async () => {
    await weir.set('relay.max_body_megabytes', 1)
    const ada = await weir.addCaller({ quota: 1_000_000 })
    // At its best it takes five seconds, and makes no less of it.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 3 }
    const bomb = brotliCompressSync(Buffer.alloc(200 * MIB, ' '), { params })
    expect(bomb.length).toBeLessThan(MIB / 16)
    const before = process.memoryUsage().rss
    expect((await ask(ada, '/v1/messages', 'br', bomb)).status).toBe(413)
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB)
  })

  it('raises what each library has for it', async () => {
    await weir.set('relay.max_body_megabytes', 1)
    const { key } = await weir.addCaller({ quota: 1_000_000 })
    const text = 'x'.repeat(2 * MIB)
    const claude = new Anthropic({ baseURL: weir.url, apiKey: key, maxRetries: 0 })
    const asked = claude.messages.create({ model: MODEL, max_tokens: 10, messages: [{ role: 'user', content: text }] })
    await expect(asked).rejects.toMatchObject({ status: 413, type: 'request_too_large' })
    const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: weir.url } })
    const refusal: Json = await models
      .generateContent({ model: MODEL, contents: text })
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ApiError)
    expect(refusal.status).toBe(413)
  })

  it('is no body that was packed and is small', async () => {
    const [maker] = makers as [(typeof makers)[0]]
    await weir.addChannel({ type: maker.type, models: MODEL })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply((request) => maker.say({ text: 'Hello' }, request))
    for (const [path, bodyOf] of doors.filter(([each]) => /chat|responses$|messages$|generateContent$/.test(each))) {
      for (const [encoding, pack] of packings) {
        const { status, text } = await ask(ada, path, encoding, pack(JSON.stringify(bodyOf('Hello'))))
        expect([status, text.includes('Hello')], `${path} ${encoding}`).toEqual([200, true])
      }
    }
  })

  it('that is allowed begins in its turn at every address, and a small one at once', async () => {
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const { ports } = weir.gateway
    const take = vi.spyOn(ports, 'takeLargeBodyTurn')
    onTestFinished(() => take.mockRestore())
    const wrong = await listFailures(
      doors,
      ([path]) => path,
      async ([path, bodyOf]) => {
        for (const [bytes, turns] of [
          [100_000, 1],
          [100, 0],
        ] as const) {
          take.mockClear()
          await ask(ada, path, 'identity', Buffer.from(JSON.stringify(bodyOf('x'.repeat(bytes)))))
          expect(take.mock.calls.length, `${bytes} bytes`).toBe(turns)
        }
      },
    )
    expect(wrong).toEqual([])
  })
})
