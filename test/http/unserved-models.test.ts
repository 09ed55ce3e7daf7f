// A model that nobody serves is not found, at once, whatever is asked of it and by whom; one that is served but cannot be
// asked just now is worth another try, and the answer says when.
import { once } from 'node:events'
import Anthropic from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { WebSocket } from 'ws'
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { listFailures } from '../support/list-failures.ts'
import { send } from '../support/server.ts'

const NOBODY = 'a-model-of-nobody'
const quota = 1_000_000_000
const messages = [{ role: 'user', content: 'Hello' }]
const contents = [{ parts: [{ text: 'Hello' }] }]

/** Every address that names a model, with the least that it takes; Google's have the model in the address. */
const asked: [path: string, body: object][] = [
  ['/v1/chat/completions', { messages }],
  ['/v1/completions', { prompt: 'Hello' }],
  ['/v1/responses', { input: 'Hello' }],
  ['/v1/messages', { messages, max_tokens: 5 }],
  ['/v1/messages/count_tokens', { messages }],
  ['/v1/embeddings', { input: 'Hello' }],
  ['/v1/engines/MODEL/embeddings', { input: 'Hello' }],
  ['/v1/moderations', { input: 'Hello' }],
  ['/v1/rerank', { query: 'q', documents: ['d'] }],
  ['/v1/images/generations', { prompt: 'a cat' }],
  ['/v1/images/edits', { prompt: 'a cat' }],
  ['/v1/images/variations', {}],
  ['/v1/audio/speech', { input: 'Hello', voice: 'alloy' }],
  ['/v1/audio/transcriptions', {}],
  ['/v1/audio/translations', {}],
  ['/v1beta/models/MODEL:generateContent', { contents }],
  ['/v1beta/models/MODEL:streamGenerateContent?alt=sse', { contents }],
  ['/v1beta/models/MODEL:countTokens', { contents }],
  ['/v1beta/models/MODEL:embedContent', { content: contents[0] }],
  ['/v1beta/models/MODEL:batchEmbedContents', { requests: [{ content: contents[0] }] }],
  ['/v1/models/MODEL:generateContent', { contents }],
]

const inFormat = (path: string): object =>
  path.startsWith('/v1/messages')
    ? { type: 'error', error: { type: 'not_found_error', details: { error_code: 'model_not_found' } } }
    : path.includes(':')
      ? { error: { code: 404, status: 'NOT_FOUND', details: [{ reason: 'model_not_found' }, {}] } }
      : { error: { type: 'invalid_request_error', code: 'model_not_found', param: 'model' } }

describeWithGateway('a model that nobody serves', (weir) => {
  const ask = (path: string, body: object, key: string, model = NOBODY) =>
    send('POST', weir.url + path.replace('MODEL', model), {
      headers: { authorization: `Bearer ${key}` },
      body: path.includes('MODEL') ? body : { model, ...body },
    })

  it('is not found at any address, for callers and for those who name a channel', async () => {
    const channel = await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    const chief = await weir.addCaller({ quota, patch: { role: 10 } })
    const wrong = await listFailures(
      asked,
      ([path]) => path,
      async ([path, body]) => {
        for (const key of [ada.key, `${chief.key}-${channel.id}`]) {
          const answer = await ask(path, body, key)
          expect(answer.status).toBe(404)
          expect(answer.json).toMatchObject(inFormat(path))
          expect(answer.headers['retry-after']).toBeUndefined()
        }
      },
    )
    expect(wrong).toEqual([])
    expect(weir.upstream.requests).toHaveLength(0)
    expect((await ada.balances()).quota).toBe(quota)
  })

  it('but is away for a while at every address where its channels are', async () => {
    const channel = await weir.addChannel({ models: NOBODY })
    await weir.set('ModelRatio', { [NOBODY]: 1 })
    await weir.gateway.ports.storage.channels.update(channel.id, { status: 3 })
    await weir.gateway.ports.storage.announce({ topic: 'channels', id: channel.id })
    const ada = await weir.addCaller({ quota })
    const wrong = await listFailures(
      asked,
      ([path]) => path,
      async ([path, body]) => {
        const answer = await ask(path, body, ada.key)
        expect(answer.status).toBe(503)
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      },
    )
    expect(wrong).toEqual([])
  })

  it('is not found by a session over a WebSocket', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    const address = `${weir.url.replace('http', 'ws')}/v1/realtime?model=${NOBODY}`
    const [, response] = await once(
      new WebSocket(address, { headers: { authorization: `Bearer ${ada.key}` } }),
      'unexpected-response',
    )
    expect(response.statusCode).toBe(404)
  })

  it.each([
    ['switched off', { status: 2 }, 404],
    ['of a group that the caller may use', { group: 'vip' }, 503],
    ['of a group that is closed to the caller', { group: 'svip' }, 404],
  ])('as far as its channel is %s', async (_, fields, status) => {
    await weir.addChannel(fields)
    const ada = await weir.addCaller({ quota })
    expect((await ada.chat()).status).toBe(status)
  })

  it('falls back as one without a channel does', async () => {
    await weir.addChannel()
    await weir.set('FallbackModels', { default: { [NOBODY]: [weir.model] } })
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply({ status: 400, body: { error: { message: 'asked' } } })
    expect((await ada.chat({ model: NOBODY })).json.error.message).toContain('asked')
  })

  it('is refused for good where its channels serve something else', async () => {
    await weir.addChannel({ type: 14, models: 'claude-sonnet-4-5' })
    const ada = await weir.addCaller({ quota })
    const refused = await ask('/v1/embeddings', { input: 'Hello' }, ada.key, 'claude-sonnet-4-5')
    expect(refused.status).toBe(400)
    expect(refused.json.error).toMatchObject({ code: 'invalid_api_type', param: 'model' })
  })

  it('says when to come back once all channels cool down', async () => {
    await weir.set('RetryTimes', 3)
    await weir.set('AutomaticDisableChannelEnabled', false)
    await weir.set('channels.cooldown_failures', 1)
    await weir.set('channels.cooldown_seconds', 40)
    for (let n = 0; n < 2; n++) await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply({ status: 500, body: { error: { message: 'broken' } } })
    const first = await ada.chat()
    expect(first.status).toBe(500)
    for (const { headers } of [first, await ada.chat()]) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(40)
    }
  })

  it('is asked for once by every vendor’s library, which raises its own error', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    let asked = 0
    const counted: typeof fetch = (...given) => {
      asked++
      return fetch(...given)
    }
    const raised = (call: Promise<unknown>): Promise<Json> =>
      call.then(
        () => undefined,
        (error: Json) => error,
      )
    const openai = new OpenAI({ baseURL: `${weir.url}/v1`, apiKey: ada.key, fetch: counted })
    const [first] = messages as [{ role: 'user'; content: string }]
    const chat = await raised(openai.chat.completions.create({ model: NOBODY, messages: [first] }))
    expect(chat).toBeInstanceOf(OpenAI.NotFoundError)
    expect(chat).toMatchObject({ code: 'model_not_found', param: 'model', type: 'invalid_request_error' })
    expect(await raised(openai.files.list())).toBeInstanceOf(OpenAI.NotFoundError)
    const anthropic = new Anthropic({ baseURL: weir.url, apiKey: ada.key, fetch: counted })
    const message = await raised(anthropic.messages.create({ model: NOBODY, max_tokens: 5, messages: [first] }))
    expect(message).toBeInstanceOf(Anthropic.NotFoundError)
    expect(message).toMatchObject({ type: 'not_found_error', requestID: message.error.request_id })
    expect(await raised(anthropic.messages.batches.list())).toBeInstanceOf(Anthropic.NotFoundError)
    expect(asked).toBe(4)
    const content = await raised(googleOf(ada).models.generateContent({ model: NOBODY, contents: 'Hello' }))
    expect(content).toBeInstanceOf(ApiError)
    expect(content).toMatchObject({ status: 404 })
  })

  const googleOf = ({ key }: Caller) => new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: weir.url } })
})
