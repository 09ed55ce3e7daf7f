// Calls other than chat that a provider serves in a format of its own: what it is sent, what OpenAI's client gets, and
// what is charged.
import { generateKeyPair, exportPKCS8 } from 'jose'
import { toFile } from 'openai'
import { describe, expect, it } from 'vitest'
import { openaiEmbeddings } from '../../core/dialects/embeddings/openai-embeddings.ts'
import { openaiImageEdits, openaiImages } from '../../core/dialects/media/openai-images.ts'
import { openaiSpeech, openaiTranscriptions, openaiTranslations } from '../../core/dialects/media/openai-audio.ts'
import { geminiBatchEmbedContents, geminiEmbedContent } from '../../core/dialects/embeddings/gemini-embeddings.ts'
import { findTranslation } from '../../core/dialects/dialect.ts'
import { allProviders } from '../../core/providers/index.ts'
import { findCallEndpoint, listEndpoints } from '../../core/providers/provider.ts'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'

const PNG = Buffer.from('a picture').toString('base64')

describeWithGateway('a provider with a format of its own', (weir) => {
  const spend = async <T>(ada: Caller, ask: () => Promise<T>): Promise<{ value: T; quota: number }> => {
    const before = await ada.balances()
    const value = await ask()
    return { value, quota: before.quota - (await ada.balances()).quota }
  }
  const begin = async (fields: object) => {
    await weir.addChannel(fields)
    return weir.addCaller({ quota: 10_000_000 })
  }
  const ratio = (model: string) => weir.gateway.settings().ModelRatio[model] ?? Number.NaN
  /** A key of Vertex AI whose tokens come from the upstream of the test, and the answers beside them. */
  const vertex = async (models: string) => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const key = JSON.stringify({
      ...{ project_id: 'p1', client_email: 'weir@p1.iam.gserviceaccount.com' },
      ...{ private_key: await exportPKCS8(privateKey), token_uri: `${weir.upstream.url}/token` },
    })
    return begin({ type: 41, models, key, other: 'us-central1' })
  }
  const replyVertex = (body: object) =>
    weir.upstream.reply(({ path }) => ({
      body: path === '/token' ? { access_token: 'a token', expires_in: 3600 } : body,
    }))
  const asked = () => weir.upstream.requests.findLast(({ path }) => path !== '/token')!
  const AT = '/v1/projects/p1/locations/us-central1/publishers/google/models'

  describe('makes images by Imagen', () => {
    const model = 'imagen-4.0-generate-001'
    const prediction = { mimeType: 'image/png', bytesBase64Encoded: PNG }

    it.each([
      ['type 24', `/v1beta/models/${model}:predict`, () => begin({ type: 24, models: model })],
      ['type 41', `${AT}/${model}:predict`, () => vertex(model)],
    ])('through %s, charged by the images that are there', async (_, path, open) => {
      const ada = await open()
      replyVertex({ predictions: [prediction, prediction, { raiFilteredReason: 'unsafe' }] })
      const body = { model, prompt: 'a fish', n: 3, size: '1792x1024', quality: 'hd' } as const
      const { value, quota } = await spend(ada, () => ada.openai.images.generate(body).withResponse())
      expect(asked().path).toBe(path)
      expect(asked().json).toEqual({
        instances: [{ prompt: 'a fish' }],
        parameters: { sampleCount: 3, aspectRatio: '16:9', personGeneration: 'allow_adult' },
      })
      expect(value.data.data).toEqual([{ b64_json: PNG }, { b64_json: PNG }])
      expect(value.response.headers.get('x-weir-dropped')).toBe('quality')
      // Twice 0.04 USD.
      expect(quota).toBe(40_000)
    })

    it('is refused with the reason, free of charge, where the filter holds all of them back', async () => {
      const ada = await begin({ type: 24, models: model })
      weir.upstream.reply({ body: { predictions: [{ raiFilteredReason: 'Sensitive words' }] } })
      const ask = () => ada.openai.images.generate({ model, prompt: 'a fish' }).catch((error: unknown) => error)
      const { value, quota } = await spend(ada, ask)
      expect(value).toMatchObject({ status: 400, message: expect.stringContaining('Sensitive words') })
      expect(quota).toBe(0)
    })
  })

  describe("makes images by Gemini's models", () => {
    const model = 'gemini-3.1-flash-image'
    const answer = {
      candidates: [
        {
          finishReason: 'STOP',
          content: {
            parts: [
              { thought: true, inlineData: { mimeType: 'image/png', data: 'ZHJhZnQ=' } },
              { text: 'Here.' },
              { inlineData: { mimeType: 'image/png', data: PNG } },
            ],
          },
        },
      ],
      usageMetadata: {
        ...{ promptTokenCount: 10, candidatesTokenCount: 1120, totalTokenCount: 1130 },
        candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1120 }],
      },
    }

    it.each([
      ['type 24', `/v1beta/models/${model}:generateContent`, () => begin({ type: 24, models: model })],
      ['type 41', `${AT}/${model}:generateContent`, () => vertex(model)],
    ])('through %s, charged by the reported tokens', async (_, path, open) => {
      const ada = await open()
      replyVertex(answer)
      const size = '2048x3072' as '1024x1536'
      const { value, quota } = await spend(ada, () => ada.openai.images.generate({ model, prompt: 'a fish', size }))
      expect(asked().path).toBe(path)
      expect(asked().json).toMatchObject({
        contents: [{ role: 'user', parts: [{ text: 'a fish' }] }],
        generationConfig: {
          responseModalities: ['TEXT', 'IMAGE'],
          imageConfig: { aspectRatio: '2:3', imageSize: '2K' },
        },
      })
      expect(asked().json).not.toHaveProperty('model')
      expect(value.data).toEqual([{ b64_json: PNG, revised_prompt: 'Here.' }])
      expect(value.usage).toMatchObject({ input_tokens: 10, output_tokens: 1120 })
      const dear = weir.gateway.settings().CompletionRatio[model] ?? Number.NaN
      expect(quota).toBe(Math.round((10 + 1120 * dear) * ratio(model)))
    })

    it('is refused where they cannot make what is asked for, or the filter holds it back', async () => {
      const ada = await begin({ type: 24, models: model })
      const generate = (more: object) => ada.openai.images.generate({ model, prompt: 'a fish', ...more })
      for (const more of [{ n: 2 }, { response_format: 'url' }, { stream: true }])
        await expect(generate(more), JSON.stringify(more)).rejects.toMatchObject({ code: 'untranslatable_request' })
      expect(weir.upstream.requests).toEqual([])
      for (const body of [
        { promptFeedback: { blockReason: 'SAFETY' } },
        { candidates: [{ finishReason: 'IMAGE_SAFETY' }] },
      ]) {
        weir.upstream.reply({ body })
        await expect(generate({})).rejects.toMatchObject({ status: 400, code: 'prompt_blocked' })
      }
    })
  })

  describe('hears by Cloudflare', () => {
    const RAW = '@cf/openai/whisper'
    const TURBO = '@cf/openai/whisper-large-v3-turbo'
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7) % 251))
    const file = () => toFile(bytes, 'speech.mp3', { type: 'audio/mpeg' })
    const vtt = 'WEBVTT\n\n00:00.000 --> 00:01.500\nHello\n\n01:00:02.000 --> 01:00:03.000\nthere'
    const result = {
      ...{ text: 'Hello there', vtt, transcription_info: { language: 'en', duration: 90.2 } },
      segments: [{ start: 0, end: 1.5, text: 'Hello', words: [{ word: 'Hello', start: 0, end: 1.5 }] }],
    }
    const run = (model: string) => `/client/v4/accounts/acc/ai/run/${model}`

    it('sends the audio alone to the older model, charged by the length of the file', async () => {
      const ada = await begin({ type: 39, models: RAW, other: 'acc' })
      weir.upstream.reply({ body: { success: true, result: { text: 'Hello there' } } })
      const speech = await file()
      const { value, quota } = await spend(ada, () =>
        ada.openai.audio.transcriptions.create({ model: RAW, file: speech, language: 'en' }).withResponse(),
      )
      expect(value.data).toEqual({ text: 'Hello there' })
      expect(value.response.headers.get('x-weir-dropped')).toBe('language')
      const { path, body, headers } = asked()
      expect(path).toBe(run(RAW))
      expect(headers['content-type']).toBe('application/octet-stream')
      expect(Buffer.from(body).equals(bytes)).toBe(true)
      expect(quota).toBeGreaterThan(0)
      expect(JSON.parse((await ada.logs())[0]!.other)).toMatchObject({ estimated: true })
    })

    it.each([
      ['json', 'application/json', { text: 'Hello there' }],
      ['text', 'text/plain; charset=utf-8', 'Hello there\n'],
      ['vtt', 'text/vtt; charset=utf-8', vtt],
      [
        ...(['srt', 'application/x-subrip; charset=utf-8'] as const),
        '1\n00:00:00,000 --> 00:00:01,500\nHello\n\n2\n01:00:02,000 --> 01:00:03,000\nthere\n',
      ],
      [
        ...(['verbose_json', 'application/json'] as const),
        {
          ...{ task: 'transcribe', language: 'en', duration: 90.2, text: 'Hello there' },
          segments: [{ id: 0, start: 0, end: 1.5, text: 'Hello' }],
          words: [{ word: 'Hello', start: 0, end: 1.5 }],
        },
      ],
    ] as const)('sends base64 to the newer one, and answers %s, charged by its seconds', async (format, type, said) => {
      const ada = await begin({ type: 39, models: TURBO, other: 'acc', param_override: '{"vad_filter":true}' })
      weir.upstream.reply({ body: { success: true, result } })
      const form = new FormData()
      const fields = { model: TURBO, language: 'en', prompt: 'names', response_format: format }
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('file', new File([bytes], 'speech.mp3', { type: 'audio/mpeg' }))
      const { value, quota } = await spend(ada, async () => {
        const headers = { authorization: `Bearer ${ada.key}` }
        const reply = await fetch(`${weir.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })
        return { type: reply.headers.get('content-type'), text: await reply.text() }
      })
      expect(value.type).toBe(type)
      expect(typeof said === 'string' ? value.text : JSON.parse(value.text)).toEqual(said)
      expect(asked()).toMatchObject({ path: run(TURBO), headers: { 'content-type': 'application/json' } })
      expect(asked().json).toEqual({
        ...{ task: 'transcribe', language: 'en', initial_prompt: 'names', vad_filter: true },
        audio: bytes.toString('base64'),
      })
      // 91 seconds are begun: 1517 tokens.
      expect(quota).toBe(Math.round(1517 * ratio(TURBO)))
    })

    it('translates by the newer one, and hands on its refusals', async () => {
      const ada = await begin({ type: 39, models: TURBO, other: 'acc' })
      weir.upstream.reply({ body: { success: true, result } })
      const translate = async () => ada.openai.audio.translations.create({ model: TURBO, file: await file() })
      expect(await translate()).toEqual({ text: 'Hello there' })
      expect(asked().json).toMatchObject({ task: 'translate' })
      const errors = [{ code: 5006, message: 'Error: audio is too long' }]
      weir.upstream.reply({ status: 400, body: { success: false, errors, result: null } })
      await expect(translate()).rejects.toMatchObject({ status: 400, message: expect.stringContaining('too long') })
    })
  })

  describe('speaks by MiniMax', () => {
    const model = 'speech-2.8-hd'
    const sound = Buffer.from('a sound')
    const spoken = (hex = sound.toString('hex')) => ({
      ...{ data: { audio: hex, status: 2 }, extra_info: { usage_characters: 12 } },
      base_resp: { status_code: 0, status_msg: 'success' },
    })
    const say = (ada: Caller, more: object = {}) =>
      ada.openai.audio.speech.create({ model, voice: 'alloy', input: '你好 there', ...more })

    it('hands on the bytes, charged by the reported characters', async () => {
      const ada = await begin({ type: 35, models: model })
      weir.upstream.reply({ body: spoken() })
      const { value, quota } = await spend(ada, async () => {
        const reply = await say(ada, {
          voice: 'Sweet_Girl',
          speed: 1.5,
          response_format: 'wav',
          instructions: 'softly',
        })
        return { headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
      })
      expect(value.bytes.equals(sound)).toBe(true)
      expect(value.headers.get('content-type')).toBe('audio/wav')
      expect(value.headers.get('x-weir-dropped')).toBe('instructions')
      expect(asked().path).toBe('/v1/t2a_v2')
      expect(asked().json).toEqual({
        ...{ model, text: '你好 there', stream: false, output_format: 'hex' },
        ...{ voice_setting: { voice_id: 'Sweet_Girl', speed: 1.5 }, audio_setting: { format: 'wav' } },
      })
      expect(quota).toBe(12 * ratio(model))
      expect((await ada.logs())[0]).toMatchObject({ prompt_tokens: 12, completion_tokens: 0 })
    })

    it('counts the characters where none are reported', async () => {
      const ada = await begin({ type: 35, models: model })
      weir.upstream.reply({ body: { ...spoken(), extra_info: undefined } })
      expect((await spend(ada, () => say(ada))).quota).toBe(8 * ratio(model))
      expect(asked().json).toMatchObject({ voice_setting: { voice_id: 'male-qn-qingse' } })
    })

    it('refuses other forms, and hands on refusals of status 200', async () => {
      const ada = await begin({ type: 35, models: model })
      for (const more of [{ response_format: 'aac' }, { stream_format: 'sse' }])
        await expect(say(ada, more)).rejects.toMatchObject({ code: 'untranslatable_request' })
      expect(weir.upstream.requests).toEqual([])
      weir.upstream.reply({ body: { base_resp: { status_code: 2013, status_msg: 'invalid voice' } } })
      await expect(say(ada)).rejects.toMatchObject({ status: 400, message: expect.stringContaining('invalid voice') })
      weir.upstream.reply({ body: spoken('zz') })
      const { value, quota } = await spend(ada, () => say(ada).catch((error: unknown) => error))
      expect(value).toMatchObject({ status: 502 })
      // It was made, and reported.
      expect(quota).toBe(12 * ratio(model))
    })
  })

  describe('embeds', () => {
    it('by MiniMax, charged by the reported tokens', async () => {
      const model = 'embo-01'
      const ada = await begin({ type: 35, models: model })
      weir.upstream.reply({
        body: {
          vectors: [
            [0.5, 1],
            [0.25, 2],
          ],
          total_tokens: 10_000,
          base_resp: { status_code: 0 },
        },
      })
      const { value, quota } = await spend(ada, () =>
        ada.openai.embeddings.create({ model, input: ['one', 'two'], dimensions: 2 }).withResponse(),
      )
      expect(asked().path).toBe('/v1/embeddings')
      expect(asked().json).toEqual({ model, texts: ['one', 'two'], type: 'db' })
      // The client asks for base64 and decodes it.
      expect(value.data.data.map(({ embedding }) => [...embedding])).toEqual([
        [0.5, 1],
        [0.25, 2],
      ])
      expect(value.data.usage).toEqual({ prompt_tokens: 10_000, total_tokens: 10_000 })
      expect(value.response.headers.get('x-weir-dropped')).toBe('dimensions')
      expect(quota).toBe(Math.round(10_000 * ratio(model)))
    })

    const prediction = (values: number[], token_count: number) => ({
      embeddings: { values, statistics: { token_count, truncated: false } },
    })

    it('by Vertex AI, charged by the reported tokens', async () => {
      const model = 'text-embedding-005'
      const ada = await vertex(model)
      replyVertex({ predictions: [prediction([0.5], 4000), prediction([0.25], 6000)] })
      const body = { model, input: ['one', 'two'], dimensions: 1, task_type: 'RETRIEVAL_QUERY' }
      const { value, quota } = await spend(ada, () => ada.openai.embeddings.create(body))
      expect(asked()).toMatchObject({ path: `${AT}/${model}:predict`, headers: { authorization: 'Bearer a token' } })
      expect(asked().json).toEqual({
        instances: [
          { content: 'one', task_type: 'RETRIEVAL_QUERY' },
          { content: 'two', task_type: 'RETRIEVAL_QUERY' },
        ],
        parameters: { outputDimensionality: 1 },
      })
      expect(value.data.map(({ embedding }) => [...embedding])).toEqual([[0.5], [0.25]])
      expect(quota).toBe(Math.round(10_000 * ratio(model)))
    })

    it("by Vertex AI for Google's own clients, estimated where nothing is reported", async () => {
      const model = 'gemini-embedding-001'
      const ada = await vertex(model)
      replyVertex({ predictions: [{ embeddings: { values: [0.5] } }] })
      const { json } = await send('POST', `${weir.url}/v1beta/models/${model}:embedContent`, {
        headers: { 'x-goog-api-key': ada.key },
        body: { content: { parts: [{ text: 'hello' }] }, outputDimensionality: 1 },
      })
      expect(json).toMatchObject({ embedding: { values: [0.5] } })
      expect(asked().json).toEqual({
        instances: [{ content: 'hello' }],
        parameters: { outputDimensionality: 1 },
      })
      expect(JSON.parse((await ada.logs())[0]!.other)).toMatchObject({ estimated: true })
    })

    it('no tokens', async () => {
      const ada = await vertex('text-embedding-005')
      const body = { model: 'text-embedding-005', input: [[1, 2]] }
      await expect(ada.openai.embeddings.create(body)).rejects.toMatchObject({ code: 'untranslatable_request' })
    })
  })
})

describe('every endpoint beside chat', () => {
  const formats = [
    ...[openaiImages, openaiImageEdits, openaiSpeech, openaiTranscriptions, openaiTranslations],
    ...[openaiEmbeddings, geminiEmbedContent, geminiBatchEmbedContents],
  ]
  const own = formats.flatMap((format) => (format.as ?? []).map(({ dialect }) => ({ format, dialect })))

  it('that a format is translated to is found for it, at a provider that has it', () => {
    const served = allProviders.flatMap((provider) => formats.flatMap((format) => listEndpoints(provider, format)))
    expect(own.length).toBeGreaterThan(formats.length)
    for (const { format, dialect } of own) {
      expect(
        served.some((endpoint) => endpoint.dialect === dialect),
        dialect.name,
      ).toBe(true)
      expect(findTranslation(format, dialect)?.dialect, format.name).toBe(dialect)
    }
  })

  it('serves the callers of OpenAI of its operation', () => {
    const cases = [
      [24, openaiImages, 'imagen-4.0-generate-001'],
      [24, openaiImages, 'gemini-3-pro-image'],
      [35, openaiSpeech, 'speech-2.8-hd'],
      [35, openaiEmbeddings, 'embo-01'],
      [39, openaiTranscriptions, '@cf/openai/whisper'],
      [41, openaiEmbeddings, 'gemini-embedding-001'],
    ] as const
    for (const [type, format, model] of cases) {
      const provider = allProviders.find((one) => one.type === type)!
      expect(findCallEndpoint(provider, format, model, { key: 'KEY' }), `${type} ${format.name}`).toBeDefined()
    }
  })
})
