// Calls that newer models refuse at the chat endpoint are asked as Responses, whoever asks and in whatever format.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

let weir: Awaited<ReturnType<typeof openTestGateway>> & TestGateway
let ada: Caller
beforeAll(async () => {
  weir = await openTestGateway()
  ada = await weir.addCaller({ quota: 1_000_000_000 })
}, 60_000)
afterAll(() => weir.close())
afterEach(() => weir.clean())

const schema = { type: 'object', properties: { city: { type: 'string' } } }
const chatTools = [{ type: 'function', function: { name: 'weather', parameters: schema } }]
const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
const response = {
  ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'm', usage },
  output: [{ type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'weather', arguments: '{"city":"Ulm"}' }],
}
const reply = ({ path }: { path: string }) =>
  path.includes('responses') ? { body: response } : chatReply('Hi', { prompt_tokens: 3, completion_tokens: 2 })

/** The same question in each caller's format, with a tool or a search. */
const asked: Record<
  string,
  (model: string, more: { tools?: true; search?: true; effort?: string }) => [string, object]
> = {
  chat: (model, { tools, search, effort }) => [
    '/v1/chat/completions',
    {
      ...{ model, messages: [{ role: 'user', content: 'Hi' }], reasoning_effort: effort, max_tokens: 99 },
      ...(tools ? { tools: chatTools } : {}),
      ...(search ? { web_search_options: {} } : {}),
    },
  ],
  messages: (model, { tools, search }) => [
    '/v1/messages',
    {
      ...{ model, max_tokens: 99, messages: [{ role: 'user', content: 'Hi' }], stop_sequences: [], temperature: 0.5 },
      tools: [
        ...(tools ? [{ name: 'weather', input_schema: schema }] : []),
        ...(search ? [{ type: 'web_search_20250305', name: 'web_search' }] : []),
      ],
    },
  ],
  generate: (model, { tools, search }) => [
    `/v1beta/models/${model}:generateContent`,
    {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: { stopSequences: [], maxOutputTokens: 99 },
      tools: [
        ...(tools ? [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: schema }] }] : []),
        ...(search ? [{ googleSearch: {} }] : []),
      ],
    },
  ],
}

async function ask(format: string, model: string, more: { tools?: true; search?: true; effort?: string }) {
  weir.upstream.reply(reply)
  const [path, body] = asked[format]!(model, more)
  const answer = await send('POST', weir.url + path, { headers: { authorization: `Bearer ${ada.key}` }, body })
  expect(answer.status).toBe(200)
  const { path: door, json } = weir.upstream.requests.at(-1)!
  return { door, json: json as Json, answer }
}

describe.each([
  ['OpenAI', 1],
  ['Azure', 3],
])('a channel of %s', (_, type) => {
  const tools = true
  const search = true
  describe.each(['gpt-5.4', 'gpt-5.5', 'gpt-6.1-sol'])('with %s', (model) => {
    it.each(['chat', 'messages', 'generate'])('is asked as Responses with tools, by a caller of %s', async (format) => {
      await weir.addChannel({ type, models: model })
      const { door, json, answer } = await ask(format, model, { tools, effort: 'high' })
      expect(door).toMatch(/\/v1\/responses$/)
      expect(json).toMatchObject({ tools: [{ type: 'function', name: 'weather' }], max_output_tokens: 99 })
      // One that does not think unasked takes a temperature.
      const refused = format === 'messages' && model !== 'gpt-5.4'
      expect([json.temperature === undefined, json.stop]).toEqual([format !== 'messages' || refused, undefined])
      expect(answer.headers['x-weir-dropped']).toBe(refused ? 'temperature' : undefined)
      expect(answer.text).toContain('weather')
    })
  })

  it.each([
    ['gpt-5.4', undefined, 'chat/completions'],
    ['gpt-5.4', 'none', 'chat/completions'],
    ['gpt-5.4', 'low', 'responses'],
    ['gpt-5.4-high', undefined, 'responses'],
    ['gpt-5.5', undefined, 'responses'],
    ['gpt-5.5', 'none', 'chat/completions'],
    ['gpt-6-astra', 'none', 'responses'],
    ['gpt-5.2', 'high', 'chat/completions'],
    ['gpt-4o', undefined, 'chat/completions'],
  ])('asks %s with tools and an effort of %s at %s', async (model, effort, door) => {
    await weir.addChannel({ type, models: model })
    await weir.set('SelfUseModeEnabled', true)
    expect((await ask('chat', model, { tools, effort })).door).toMatch(new RegExp(`/${door}$`))
    expect((await ask('chat', model, { effort })).door).toMatch(/\/chat\/completions$/)
  })

  it('keeps what both of OpenAI’s formats have a word for', async () => {
    await weir.addChannel({ type, models: 'gpt-5.5' })
    const shared = { metadata: { job: '7' }, prompt_cache_key: 'k', prompt_cache_retention: '24h' }
    weir.upstream.reply(reply)
    const body = { ...(asked.chat!('gpt-5.5', { tools })[1] as object), ...shared, verbosity: 'low', seed: 1 }
    const headers = { authorization: `Bearer ${ada.key}` }
    const answer = await send('POST', `${weir.url}/v1/chat/completions`, { headers, body })
    expect(weir.upstream.requests.at(-1)!.json).toMatchObject({ ...shared, text: { verbosity: 'low' } })
    expect(answer.headers['x-weir-dropped']).toBe('seed')
  })

  it.each(['chat', 'messages', 'generate'])('searches with Responses for a caller of %s', async (format) => {
    await weir.addChannel({ type, models: 'gpt-4o' })
    const { door, json } = await ask(format, 'gpt-4o', { search })
    expect(door).toMatch(/\/v1\/responses$/)
    expect(json.tools).toEqual([expect.objectContaining({ type: 'web_search' })])
  })

  it('lets models search that are made for it where they are', async () => {
    await weir.addChannel({ type, models: 'gpt-4o-search-preview' })
    const { door, json } = await ask('messages', 'gpt-4o-search-preview', { search })
    expect(door).toMatch(/\/chat\/completions$/)
    expect(json.web_search_options).toEqual({})
    expect(json.temperature).toBeUndefined()
  })

  it('leaves a request as it is that is to pass as it is', async () => {
    await weir.addChannel({ type, models: 'gpt-5.5', setting: '{"pass_through_body_enabled":true}' })
    const { door, json } = await ask('chat', 'gpt-5.5', { tools, effort: 'high' })
    expect(door).toMatch(/\/chat\/completions$/)
    expect(json.max_tokens).toBe(99)
  })

  it('renames the limit of a request of its own format, and mends the rest where the channel says so', async () => {
    const body = { model: 'gpt-5.5', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9, temperature: 0.1 }
    const post = async () => {
      weir.upstream.reply(reply)
      const headers = { authorization: `Bearer ${ada.key}` }
      const answer = await send('POST', `${weir.url}/v1/chat/completions`, { headers, body })
      return { json: weir.upstream.requests.at(-1)!.json as Json, dropped: answer.headers['x-weir-dropped'] }
    }
    await weir.addChannel({ type, models: 'gpt-5.5' })
    const plain = await post()
    expect(plain.json).toMatchObject({ max_completion_tokens: 9, temperature: 0.1 })
    expect([plain.json.max_tokens, plain.dropped]).toEqual([undefined, undefined])
    await weir.clean()
    await weir.addChannel({ type, models: 'gpt-5.5', setting: '{"mend_requests":true}' })
    const mended = await post()
    expect([mended.json.temperature, mended.json.max_completion_tokens, mended.dropped]).toEqual([
      undefined,
      9,
      'temperature',
    ])
  })
})

it.each([4, 26, 27, 34, 40, 42, 43, 1013])(
  'a server that knows one name for the limit is told it: type %i',
  async (type) => {
    await weir.addChannel({ type, models: 'gpt-4o' })
    weir.upstream.reply(chatReply('Hi', { prompt_tokens: 3, completion_tokens: 2 }))
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    await ada.openai.chat.completions.create({ model: 'gpt-4o', messages, max_completion_tokens: 11 })
    const { json } = weir.upstream.requests.at(-1)!
    expect(json).toMatchObject({ max_tokens: 11 })
    expect(json).not.toHaveProperty('max_completion_tokens')
  },
)
