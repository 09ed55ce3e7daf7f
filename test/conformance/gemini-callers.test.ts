// Answers to clients of Gemini other than plain chunks: the array form, pings, counts, vectors and lists of models,
// compared with Google's description.
import { expect, it } from 'vitest'
import { encodeFrame } from '../../core/dialects/answers/frames.ts'
import { geminiGenerate } from '../../core/index.ts'
import { createArrayFraming, plainEventStream } from '../../http/sse.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { chatReply, chatStream } from '../support/upstream.ts'
import { faultsIn } from './descriptions/check.ts'

const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }]

describeWithGateway('a caller of Gemini on a channel of another vendor', (weir) => {
  async function open() {
    await weir.addChannel({ models: `${weir.model},text-embedding-3-small` })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const headers = { 'x-goog-api-key': ada.key }
    return {
      ada,
      post: (action: string, body: object, model = weir.model) =>
        send('POST', `${weir.url}/v1beta/models/${model}:${action}`, { headers, body }),
      get: (path: string) => send('GET', `${weir.url}/v1beta/${path}`, { headers }),
    }
  }

  it('reads an array with nothing behind its end', async () => {
    const { post } = await open()
    weir.upstream.reply(chatStream(['Hello', ' you'], { prompt_tokens: 3, completion_tokens: 2 }))
    const { text } = await post('streamGenerateContent', { contents })
    expect(text.endsWith('}]')).toBe(true)
    const chunks = JSON.parse(text) as object[]
    expect(chunks.flatMap((chunk) => faultsIn('gemini', 'GenerateContentResponse', chunk))).toEqual([])
  })

  it('is told the usage that is charged where the vendor reports none', async () => {
    const { ada, post } = await open()
    for (const action of ['generateContent', 'streamGenerateContent']) {
      weir.upstream.reply(action === 'generateContent' ? chatReply('Hello you') : chatStream(['Hello', ' you']))
      const { json } = await post(action, { contents })
      const { usageMetadata } = Array.isArray(json) ? json.at(-1) : json
      const [row] = await ada.logs()
      expect(usageMetadata).toMatchObject({
        promptTokenCount: row!.prompt_tokens,
        candidatesTokenCount: row!.completion_tokens,
        totalTokenCount: row!.prompt_tokens + row!.completion_tokens,
      })
      expect(row!.other).toContain('"estimated":true')
    }
  })

  it('gets vectors as numbers, and their usage', async () => {
    const { post } = await open()
    const floats = [0.5, -0.25, 0.125]
    const packed = {
      base64: Buffer.from(new Float32Array(floats).buffer).toString('base64'),
      int8: Buffer.from(new Int8Array([1, -2, 3, 90])).toString('base64'),
    }
    for (const [embedding, values] of [
      [packed.base64, floats],
      [packed.int8, [1, -2, 3, 90]],
    ] as const) {
      weir.upstream.reply({ body: { object: 'list', data: [{ index: 0, embedding }], usage: { total_tokens: 7 } } })
      const { json } = await post('embedContent', { content: { parts: [{ text: 'Hello' }] } }, 'text-embedding-3-small')
      expect(json).toEqual({ embedding: { values }, usageMetadata: { promptTokenCount: 7 } })
      expect(faultsIn('gemini', 'EmbedContentResponse', json)).toEqual([])
    }
    weir.upstream.reply({ body: { object: 'list', data: [{ index: 0, embedding: floats }] } })
    const { json } = await post('embedContent', { content: { parts: [{ text: 'Hello' }] } }, 'text-embedding-3-small')
    expect(json.usageMetadata.promptTokenCount).toBeGreaterThan(0)
  })

  it('gets counts and models as Google describes them', async () => {
    const { get, post } = await open()
    expect(faultsIn('gemini', 'CountTokensResponse', (await post('countTokens', { contents })).json)).toEqual([])
    expect(faultsIn('gemini', 'ListModelsResponse', (await get('models')).json)).toEqual([])
  })
})

it('pings of Google’s framings are nothing to its clients', () => {
  const array = createArrayFraming()
  const start = array.ping() + array.ping()
  const rest = Buffer.from(array.write([{ data: '{"a":1}' }])).toString() + array.ping() + array.end()
  expect(start).toBe('[\n\n')
  expect(JSON.parse(start + rest)).toEqual([{ a: 1 }])
  expect(plainEventStream.ping()).toBe('\n')
})

it('no letter of a chunk ends a line', () => {
  const write = geminiGenerate.writer({ model: 'm', stream: true, include_usage: true, prompt_estimate: 1 })
  const frames = [...write({ type: 'text', text: 'a\u2028b\u2029c\u0085d', choice: 0 }), ...write({ type: 'end' })]
  const text = frames.map((frame) => Buffer.from(encodeFrame(frame)).toString()).join('')
  expect(text).not.toMatch(/[\u0085\u2028\u2029]/)
  expect(JSON.parse(frames[0]!.data).candidates[0].content.parts[0].text).toBe('a\u2028b\u2029c\u0085d')
})
