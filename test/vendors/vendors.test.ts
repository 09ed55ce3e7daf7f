// The strict vendors themselves: they refuse what they should, and the official clients get on with them.
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI, type Content } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../support/json.ts'
import { listFailures } from '../support/list-failures.ts'
import { send } from '../support/server.ts'
import { startAnthropicVendor } from './anthropic.ts'
import { startGeminiVendor } from './gemini.ts'
import { startOpenaiVendor } from './openai.ts'
import { chatCases, geminiCases, messagesCases, responsesCases, sound, type RefusedCase } from './refusals.data.ts'
import { callThenAnswer, type Asked, type Script } from './script.ts'
import { NO_MODEL, WRONG_KEY, type Vendor } from './vendor.ts'

const script: Script = callThenAnswer(
  [({ tools: [tool] }) => tool && { name: tool.name, args: { path: 'notes.txt' } }],
  ({ results }) => ({ text: `The file says: ${results.join()}`, thought: 'That was easy.' }),
)
const parameters = { type: 'object' as const, properties: { path: { type: 'string' } }, required: ['path'] }
const long = `Read the file notes.txt. ${'It lies here. '.repeat(500)}`
const ANSWER = 'The file says: forty-two'

const vendors = {} as Record<'openai' | 'anthropic' | 'gemini', Vendor>
beforeAll(async () => {
  const [openai, anthropic, gemini] = await Promise.all([
    startOpenaiVendor(script),
    startAnthropicVendor(script),
    startGeminiVendor(script),
  ])
  Object.assign(vendors, { openai, anthropic, gemini })
})
afterAll(async () => {
  await Promise.all(Object.values(vendors).map((vendor) => vendor.close()))
})

const doors = [
  ['openai', '/v1/chat/completions', sound.chat, chatCases],
  ['openai', '/v1/responses', sound.responses, responsesCases],
  ['anthropic', '/v1/messages', sound.messages, messagesCases],
  ['gemini', '/v1beta/models/gemini-3-pro-preview:generateContent', sound.gemini, geminiCases],
] as const

const headersWith = (key: string) => ({
  authorization: `Bearer ${key}`,
  'x-api-key': key,
  'x-goog-api-key': key,
  'anthropic-version': '2023-06-01',
})

const withTurn = [
  { role: 'user', content: 'Hello' },
  { role: 'system', content: 'Answer in French.' },
]

it.each([
  ['the longest answer of each Claude', { model: 'claude-sonnet-4-6', max_tokens: 128_000 }],
  ['words of the system behind a question', { model: 'claude-opus-5-5', messages: withTurn }],
  ['words of the system behind a question, of Opus 4.8', { model: 'claude-opus-4-8', messages: withTurn }],
])('Anthropic takes %s', async (_, fields) => {
  const body = { ...sound.messages, ...fields }
  const { status, text } = await send('POST', `${vendors.anthropic.url}/v1/messages`, {
    headers: headersWith('k'),
    body,
  })
  expect(status, text).toBe(200)
})

describe.each(doors)('%s at %s refuses', (name, path, body, cases) => {
  const ask = (fields: Json, { at = path, key = 'k' }: { at?: string; key?: string } = {}) =>
    send('POST', vendors[name].url + at, { headers: headersWith(key), body: { ...body, ...fields } })

  it('nothing that is sound', async () => {
    const { status, text } = await ask({})
    expect(status, text).toBe(200)
  })

  it('a wrong key', async () => {
    const { status, text } = await ask({}, { key: WRONG_KEY })
    expect(status).toBe(name === 'gemini' ? 400 : 401)
    expect(text).toMatch(/api[- ]key/i)
  })

  it('a model that it does not have', async () => {
    const at = path.replace(/(?<=models\/)[^:]+/, NO_MODEL)
    const { status, text } = await ask(name === 'gemini' ? {} : { model: NO_MODEL }, { at })
    expect(status).toBe(404)
    expect(text).toContain(NO_MODEL)
  })

  it('everything that the real one refuses', async () => {
    const failures = await listFailures(
      cases as RefusedCase[],
      ([what]) => what,
      async ([, fields, words]) => {
        const { status, json } = await ask(fields)
        expect(json.error.message).toMatch(words)
        expect(status).toBeGreaterThanOrEqual(400)
        expect(vendors[name].heard.at(-1)?.refusal?.message).toBe(json.error.message)
      },
    )
    expect(failures).toEqual([])
  })
})

const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const gemini = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const json = [{ role: 'user', content: 'A city as JSON.' }]
/** Of each door how JSON is asked for, and what the script sees of it. */
const formats: readonly (readonly [at: (typeof doors)[number], fields: Json, seen: Asked['format']])[] = [
  [
    doors[0],
    { response_format: { type: 'json_schema', json_schema: { name: 'city', strict: true, schema } } },
    { schema },
  ],
  [doors[0], { messages: json, response_format: { type: 'json_object' } }, { schema: undefined }],
  [doors[0], { response_format: { type: 'text' } }, undefined],
  [doors[1], { text: { format: { type: 'json_schema', name: 'city', strict: true, schema } } }, { schema }],
  [doors[1], { input: json, text: { format: { type: 'json_object' } } }, { schema: undefined }],
  [doors[1], {}, undefined],
  [doors[2], { model: 'claude-sonnet-4-6', output_config: { format: { type: 'json_schema', schema } } }, { schema }],
  [doors[2], {}, undefined],
  [
    doors[3],
    { generationConfig: { responseMimeType: 'application/json', responseSchema: gemini } },
    { schema: gemini },
  ],
  [doors[3], { generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema } }, { schema }],
  [doors[3], { generationConfig: { responseMimeType: 'application/json' } }, { schema: undefined }],
  [doors[3], {}, undefined],
]

it.each(formats)('the script sees the format that is asked for: %#', async ([name, path, body], fields, seen) => {
  let format: unknown = 'none was seen'
  vendors[name].follow((asked) => {
    format = asked.format
    return { text: '{}' }
  })
  const { status, text } = await send('POST', vendors[name].url + path, {
    headers: headersWith('k'),
    body: { ...body, ...fields },
  })
  vendors[name].follow(script)
  expect(status, text).toBe(200)
  expect(format).toEqual(seen)
})

it('Gemini takes back the empty part at the end of its stream', async () => {
  const functionCall = { name: 'read', args: {} }
  const functionResponse = { name: 'read', response: { output: 'forty-two' } }
  const contents = [
    { role: 'user', parts: [{ text: 'Read.' }] },
    { role: 'model', parts: [{ functionCall }] },
    { role: 'model', parts: [{ text: '' }] },
    { role: 'user', parts: [{ functionResponse }] },
  ]
  const at = `${vendors.gemini.url}/v1beta/models/gemini-2.5-flash:generateContent`
  const { status, text } = await send('POST', at, { headers: headersWith('k'), body: { contents } })
  expect(status, text).toBe(200)
})

it('Gemini gives embeddings at its copy of the door of OpenAI', async () => {
  const client = new OpenAI({ baseURL: `${vendors.gemini.url}/v1beta/openai`, apiKey: 'k', maxRetries: 0 })
  const { data } = await client.embeddings.create({ model: 'gemini-embedding-001', input: ['one', 'two'] })
  expect(data.map(({ embedding }) => embedding.length)).toEqual([8, 8])
})

/** Nothing was refused, the second request read from the cache, and thoughts were counted. */
function expectSound({ heard }: Vendor, cached = true): void {
  expect(heard.map(({ refusal }) => refusal)).toEqual(heard.map(() => undefined))
  const usage = heard.map((each) => each.usage).filter((each) => each !== undefined)
  expect(usage).toHaveLength(2)
  if (cached) expect(usage[1]?.cache_read).toBeGreaterThan(1024)
  expect(usage.every(({ prompt, completion }) => prompt > 1024 && completion > 0)).toBe(true)
}

describe.each([true, false])('a call and its result, streamed: %s', (stream) => {
  it('with the client of OpenAI, at chat', async () => {
    vendors.openai.forget()
    const client = new OpenAI({ baseURL: `${vendors.openai.url}/v1`, apiKey: 'k', maxRetries: 0 })
    const tools = [{ type: 'function' as const, function: { name: 'read', parameters } }]
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: long }]
    const ask = async () => {
      const body = { model: 'gpt-5.2', messages, tools }
      const { choices } = stream
        ? await client.chat.completions
            .stream({ ...body, stream_options: { include_usage: true } })
            .finalChatCompletion()
        : await client.chat.completions.create(body)
      const message = choices[0]?.message
      if (!message) throw new Error('no choice')
      return message
    }
    const { tool_calls: calls = [] } = await ask()
    messages.push({ role: 'assistant', tool_calls: calls as OpenAI.ChatCompletionMessageToolCall[] })
    for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: 'forty-two' })
    expect((await ask()).content).toBe(ANSWER)
    expectSound(vendors.openai)
  })

  it('with the client of OpenAI, at responses, its thoughts sealed', async () => {
    vendors.openai.forget()
    const client = new OpenAI({ baseURL: `${vendors.openai.url}/v1`, apiKey: 'k', maxRetries: 0 })
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: long }]
    const ask = (): Promise<OpenAI.Responses.Response> => {
      const body = {
        ...{ model: 'gpt-5.5', input, store: false, reasoning: { summary: 'auto' as const } },
        include: ['reasoning.encrypted_content' as const],
        tools: [{ type: 'function' as const, name: 'read', parameters, strict: false }],
      }
      return stream ? client.responses.stream(body).finalResponse() : client.responses.create(body)
    }
    const { output } = await ask()
    // What the client has read out of them is no field of theirs.
    const bare = output.map((item) => ({ ...item, parsed_arguments: undefined }))
    input.push(...(bare as OpenAI.Responses.ResponseInputItem[]))
    for (const item of output) {
      if (item.type === 'function_call')
        input.push({ type: 'function_call_output', call_id: item.call_id, output: 'forty-two' })
    }
    expect((await ask()).output_text).toBe(ANSWER)
    expectSound(vendors.openai)
  })

  it('with the client of Anthropic, thinking, with marks', async () => {
    vendors.anthropic.forget()
    const client = new Anthropic({ baseURL: vendors.anthropic.url, apiKey: 'k', maxRetries: 0 })
    const marked = { type: 'text' as const, text: long, cache_control: { type: 'ephemeral' as const } }
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: [marked] }]
    const ask = (): Promise<Anthropic.Message> => {
      const body = {
        ...{ model: 'claude-sonnet-4-6', max_tokens: 4096, messages },
        thinking: { type: 'enabled' as const, budget_tokens: 1024 },
        tools: [{ name: 'read', input_schema: parameters }],
      }
      return stream ? client.messages.stream(body).finalMessage() : client.messages.create(body)
    }
    const { content } = await ask()
    messages.push({ role: 'assistant', content })
    for (const block of content) {
      if (block.type !== 'tool_use') continue
      messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: block.id, content: 'forty-two' }] })
    }
    const last = await ask()
    expect(last.content).toMatchObject([
      { type: 'thinking', thinking: 'That was easy.' },
      { type: 'text', text: ANSWER },
    ])
    expect(last.usage.cache_read_input_tokens).toBeGreaterThan(1024)
    expectSound(vendors.anthropic)
  })

  it('with the client of Google, its calls signed', async () => {
    vendors.gemini.forget()
    const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: vendors.gemini.url } })
    const contents: Content[] = [{ role: 'user', parts: [{ text: long }] }]
    const ask = async () => {
      const tools = [{ functionDeclarations: [{ name: 'read', parametersJsonSchema: parameters }] }]
      const request = {
        model: 'gemini-3-pro-preview',
        contents,
        config: { tools, thinkingConfig: { includeThoughts: true } },
      }
      const answers = stream
        ? await client.models.generateContentStream(request)
        : [await client.models.generateContent(request)]
      const parts = []
      for await (const answer of answers) parts.push(...(answer.candidates?.[0]?.content?.parts ?? []))
      return parts.filter((part) => !(part.text === '' && !part.thoughtSignature))
    }
    const parts = await ask()
    contents.push({ role: 'model', parts })
    const responses = parts.filter(({ functionCall }) => functionCall)
    contents.push({
      role: 'user',
      parts: responses.map(({ functionCall }) => ({
        functionResponse: { name: functionCall?.name ?? '', response: { output: 'forty-two' } },
      })),
    })
    const words = (await ask()).map(({ text = '', thought }) => (thought ? '' : text))
    expect(words.join('')).toBe(ANSWER)
    expectSound(vendors.gemini)
  })
})
