// The model lists as the vendors' own libraries read them: what is known of each model, page by page, and by any of its names.
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { send } from '../support/server.ts'

const MODELS = 'claude-sonnet-4-5,gemini-2.5-pro,gpt-4o-2024-08-06,somebodys-own,text-embedding-3-small'

describeWithGateway('the model lists', (weir) => {
  async function callers() {
    await weir.addChannel({ models: MODELS })
    const ada = await weir.addCaller()
    return {
      openai: ada.openai,
      anthropic: new Anthropic({ baseURL: weir.url, apiKey: ada.key, maxRetries: 0 }),
      google: new GoogleGenAI({ apiKey: ada.key, httpOptions: { baseUrl: weir.url } }),
      key: ada.key,
    }
  }
  async function all(pages: AsyncIterable<Json>): Promise<Json[]> {
    const models = []
    for await (const model of pages) models.push(model)
    return models
  }

  it('say what is known to OpenAI’s clients', async () => {
    const { openai } = await callers()
    const [claude, , gpt, own, embedding] = (await openai.models.list()).data as Json[]
    expect(claude).toEqual({
      id: 'claude-sonnet-4-5',
      object: 'model',
      created: Date.UTC(2025, 8, 29) / 1000,
      owned_by: 'openai',
      type: 'chat',
      context_length: 200_000,
      context_window: 200_000,
      max_model_len: 200_000,
      max_completion_tokens: 64_000,
    })
    expect(gpt).toMatchObject({ created: Date.UTC(2024, 7, 6) / 1000, max_completion_tokens: 16_384 })
    expect(own).toEqual({
      id: 'somebodys-own',
      object: 'model',
      created: 1_626_777_600,
      owned_by: 'openai',
      type: 'chat',
    })
    expect(embedding).toMatchObject({ type: 'embedding', context_length: 8191 })
    expect(embedding).not.toHaveProperty('max_completion_tokens')
    expect(await openai.models.retrieve('claude-sonnet-4-5')).toEqual(claude)
    expect(await openai.models.retrieve('claude-sonnet-4-5-20250929')).toEqual(claude)
    await expect(openai.models.retrieve('gpt-4o-2024-05-13')).rejects.toMatchObject({ status: 404, param: 'model' })
  })

  it('say what is known to Anthropic’s, page by page both ways', async () => {
    const { anthropic } = await callers()
    const models = await all(anthropic.models.list({ limit: 2 }))
    expect(models.map(({ id }) => id)).toEqual(MODELS.split(','))
    expect(models[0]).toEqual({
      type: 'model',
      id: 'claude-sonnet-4-5',
      display_name: 'claude-sonnet-4-5',
      created_at: '2025-09-29T00:00:00Z',
      max_input_tokens: 200_000,
      max_tokens: 64_000,
      capabilities: null,
      line: 'sonnet',
      lifecycle: 'active',
      deprecated_at: null,
      retires_at: null,
      kind: 'chat',
    })
    expect(models[3]).toEqual({
      type: 'model',
      id: 'somebodys-own',
      display_name: 'somebodys-own',
      created_at: '1970-01-01T00:00:00Z',
      max_input_tokens: null,
      max_tokens: null,
      capabilities: null,
      line: null,
      lifecycle: 'active',
      deprecated_at: null,
      retires_at: null,
      kind: 'chat',
    })
    expect(await anthropic.models.list({ limit: models.length })).toMatchObject({ has_more: false })
    const back = await anthropic.models.list({ limit: 2, before_id: 'gpt-4o-2024-08-06' })
    expect(back).toMatchObject({ first_id: 'claude-sonnet-4-5', last_id: 'gemini-2.5-pro', has_more: false })
    expect(await anthropic.models.retrieve('claude-sonnet-4-5-20250929')).toEqual(models[0])
    const lost = anthropic.models.list({ after_id: 'gone' })
    await expect(lost).rejects.toBeInstanceOf(Anthropic.BadRequestError)
  })

  it('say what is known to Google’s, and what each model is for', async () => {
    const { google, key } = await callers()
    const models = await all(await google.models.list({ config: { pageSize: 2 } }))
    expect(models).toHaveLength(5)
    const [claude, gemini, , own, embedding] = models
    expect(claude).toMatchObject({ inputTokenLimit: 200_000, outputTokenLimit: 64_000 })
    expect(gemini).toMatchObject({
      name: 'models/gemini-2.5-pro',
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedActions: ['generateContent', 'streamGenerateContent', 'countTokens'],
    })
    expect(own).not.toHaveProperty('inputTokenLimit')
    expect(embedding.supportedActions).toEqual(['embedContent', 'batchEmbedContents'])
    expect(await google.models.get({ model: 'gemini-2.5-pro' })).toMatchObject({ name: 'models/gemini-2.5-pro' })
    const lost = await send('GET', `${weir.url}/v1beta/models?pageToken=x&key=${key}`)
    expect(lost).toMatchObject({ status: 400, json: { error: { status: 'INVALID_ARGUMENT' } } })
  })

  it.each<[headers: (key: string) => Record<string, string>, search: (key: string) => string, shape: object]>([
    [(key) => ({ authorization: `Bearer ${key}` }), () => '', { object: 'list' }],
    [(key) => ({ 'x-api-key': key }), () => '', { has_more: false }],
    [(key) => ({ authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' }), () => '', { has_more: false }],
    [(key) => ({ 'x-goog-api-key': key }), () => '', { models: expect.any(Array) }],
    [() => ({}), (key) => `?key=${key}`, { models: expect.any(Array) }],
  ])('have the shape of who asks (%#)', async (headers, search, shape) => {
    const { key } = await callers()
    const answer = await send('GET', `${weir.url}/v1/models${search(key)}`, { headers: headers(key) })
    expect(answer.json).toMatchObject(shape)
    const bad = await send('GET', `${weir.url}/v1/models${search('sk-bad')}`, { headers: headers('sk-bad') })
    expect(bad.status).toBe(401)
    expect(Object.keys(bad.json)).toContain('error')
    expect(bad.json.type ?? bad.json.error.status ?? bad.json.error.code).toBe(
      'has_more' in shape ? 'error' : 'models' in shape ? 'UNAUTHENTICATED' : 'invalid_api_key',
    )
  })

  it('say what the operator has taken over from a list', async () => {
    const { openai } = await callers()
    await weir.set('models.facts', { 'claude-sonnet-4-5': { context: 1_000_000 }, 'somebodys-own': { kind: 'rerank' } })
    const [claude, , , own] = (await openai.models.list()).data as Json[]
    expect(claude).toMatchObject({ context_length: 1_000_000, max_completion_tokens: 64_000 })
    expect(own).toMatchObject({ type: 'rerank' })
    await weir.set('models.facts', '{}')
  })
})
