// Embeddings for Google's official client: of Gemini channels as they come, of OpenAI's by translation.
import { GoogleGenAI } from '@google/genai'
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { recordingsOf } from '../support/at-hand.ts'
import { recordingsHere, bytesOf } from '../support/recordings.ts'
import { send } from '../support/server.ts'
import { recorded } from '../support/upstream.ts'

const GEMINI = 'gemini-embedding-001'
const OPENAI = 'text-embedding-3-large'

describeWithGateway('embeddings for Gemini clients', (weir) => {
  const client = (ada: Caller) => new GoogleGenAI({ apiKey: ada.key, httpOptions: { baseUrl: weir.url } })
  const post = (ada: Caller, path: string, body: object) =>
    send('POST', `${weir.url}${path}`, { headers: { 'x-goog-api-key': ada.key }, body })
  const spender = () =>
    weir.addCaller({ quota: 1_000_000, patch: { setting: '{"accept_unset_model_ratio_model":true}' } })

  it('pass to Gemini channels, with the mapped name wherever the model is repeated', async () => {
    await weir.addChannel({ type: 24, models: GEMINI, model_mapping: `{"${GEMINI}":"theirs"}` })
    const ada = await spender()
    const answer = { embeddings: [{ values: [0.5] }, { values: [0.25] }], usageMetadata: { promptTokenCount: 1000 } }
    weir.upstream.reply({ body: answer })
    const { embeddings } = await client(ada).models.embedContent({
      model: GEMINI,
      contents: ['one', 'two'],
      config: { taskType: 'RETRIEVAL_QUERY', outputDimensionality: 1 },
    })
    expect(embeddings).toEqual(answer.embeddings)
    const [sent] = weir.upstream.requests
    expect(sent!.path).toBe('/v1beta/models/theirs:batchEmbedContents')
    expect(sent!.json.requests).toMatchObject([
      { model: 'models/theirs', taskType: 'RETRIEVAL_QUERY', content: { parts: [{ text: 'one' }] } },
      { model: 'models/theirs', taskType: 'RETRIEVAL_QUERY', content: { parts: [{ text: 'two' }] } },
    ])
    const [row] = await ada.logs()
    expect(row).toMatchObject({ model_name: GEMINI, prompt_tokens: 1000, completion_tokens: 0 })
    const ratio = weir.gateway.settings().ModelRatio[GEMINI] ?? Number.NaN
    expect((await ada.balances()).quota).toBe(1_000_000 - Math.round(1000 * ratio))
  })

  it('of one content pass too, and are counted where nobody reports', async () => {
    await weir.addChannel({ type: 24, models: GEMINI })
    const ada = await spender()
    weir.upstream.reply({ body: { embedding: { values: [0.5] } } })
    for (const version of ['v1beta', 'v1']) {
      const asked = { content: { parts: [{ text: 'hello world' }] } }
      const { json } = await post(ada, `/${version}/models/${GEMINI}:embedContent`, asked)
      expect(json).toEqual({ embedding: { values: [0.5] } })
      expect(weir.upstream.requests.at(-1)).toMatchObject({
        path: `/v1beta/models/${GEMINI}:embedContent`,
        json: asked,
      })
    }
    const [row] = await ada.logs()
    expect(row).toMatchObject({ prompt_tokens: 2 })
    expect(JSON.parse(row!.other)).toMatchObject({ estimated: true })
  })

  it('are translated for channels that speak OpenAI, and say what was lost', async () => {
    await weir.addChannel({ models: OPENAI, model_mapping: `{"${OPENAI}":"theirs"}` })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const vector = (index: number, embedding: number[]) => ({ object: 'embedding', index, embedding })
    weir.upstream.reply({
      body: {
        object: 'list',
        data: [vector(1, [2]), vector(0, [1])],
        usage: { prompt_tokens: 100, total_tokens: 100 },
      },
    })
    const asked = (text: string) => ({
      model: `models/${OPENAI}`,
      content: { parts: [{ text }, { text: '!' }] },
      outputDimensionality: 1,
      taskType: 'CLUSTERING',
    })
    const answer = await post(ada, `/v1beta/models/${OPENAI}:batchEmbedContents`, {
      requests: [asked('one'), asked('two')],
    })
    expect(answer.json).toEqual({
      embeddings: [{ values: [1] }, { values: [2] }],
      usageMetadata: { promptTokenCount: 100 },
    })
    expect(answer.headers['x-weir-dropped']).toBe('taskType')
    expect(weir.upstream.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      json: { model: 'theirs', input: ['one!', 'two!'], encoding_format: 'float', dimensions: 1 },
    })
    // 100 tokens at ratio 0.065: 6.5, rounded.
    expect((await ada.balances()).quota).toBe(1_000_000 - 7)
    const one = await client(ada).models.embedContent({ model: OPENAI, contents: 'one' })
    expect(one.embeddings?.[0]).toEqual({ values: [1] })
  })

  it('are refused in their own words: nothing to embed, a picture for a model of texts, a refusal upstream', async () => {
    await weir.addChannel({ models: OPENAI })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const path = `/v1beta/models/${OPENAI}:embedContent`
    const empty = await post(ada, path, { content: { parts: [] } })
    expect([empty.status, empty.json.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
    const picture = { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] } }
    expect((await post(ada, path, picture)).status).toBe(400)
    weir.upstream.reply({ status: 429, body: { error: { message: 'slow down', type: 'requests' } } })
    const slow = await post(ada, path, { content: { parts: [{ text: 'x' }] } })
    expect([slow.status, slow.json.error.status]).toEqual([429, 'RESOURCE_EXHAUSTED'])
    expect((await ada.balances()).quota).toBe(1_000_000)
  })

  it('of OpenAI clients go to Google’s own address for them', async () => {
    await weir.addChannel({ type: 24, models: GEMINI })
    const ada = await spender()
    const body = {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [1] }],
      usage: { prompt_tokens: 5 },
    }
    weir.upstream.reply({ body })
    expect(await ada.openai.embeddings.create({ model: GEMINI, input: 'x', encoding_format: 'float' })).toEqual(body)
    expect(weir.upstream.requests[0]).toMatchObject({
      path: '/v1beta/openai/embeddings',
      headers: { authorization: 'Bearer upstream-secret-0123456789' },
    })
  })

  it.runIf(recordingsHere)('come through as they were recorded, pictures told apart', async () => {
    const recording = recordingsOf('google.embeddings').find(({ features }) => features.includes('image_input'))!
    const model = 'gemini-embedding-2'
    await weir.addChannel({ type: 24, models: model })
    const ada = await spender()
    weir.upstream.reply(recorded(recording))
    const answer = await post(ada, `/v1beta/models/${model}:batchEmbedContents`, recording.request!.body as object)
    expect(answer.text).toBe(Buffer.from(bytesOf(recording)).toString())
    const [row] = await ada.logs()
    expect(row).toMatchObject({ prompt_tokens: 261 })
    expect(JSON.parse(row!.other)).toMatchObject({ image_input: 258 })
  })
})
