// The test suite of Open Responses, repeated through a channel of each kind, whole and streamed. Each answer is
// compared with the descriptions of a Response, and with the request.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listFailures } from '../support/list-failures.ts'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import type { Caller } from '../support/caller.ts'
import type { Json } from '../support/json.ts'
import { dataEvents } from '../support/replay.ts'
import { startAnthropicVendor } from '../vendors/anthropic.ts'
import { startGeminiVendor } from '../vendors/gemini.ts'
import { openaiVendor, startOpenaiVendor } from '../vendors/openai.ts'
import type { Asked, Script, Turn } from '../vendors/script.ts'
import { startVendor, type Answering, type Vendor } from '../vendors/vendor.ts'
import { responseFaults, responseStreamFaults } from './descriptions/check.ts'

interface Channel {
  type: number
  model: string
  path?: string
  start(script: Script): Promise<Vendor>
}

/** DeepSeek has OpenAI's formats, a part of the path shorter. */
const startDeepseekVendor = (script: Script): Promise<Vendor> =>
  startVendor({ ...openaiVendor, open: openShorter }, script)
function openShorter(script: Script): Answering {
  const answer = openaiVendor.open(script)
  return (request) => answer({ ...request, path: `/v1${request.path}` })
}

const CHANNELS: Readonly<Record<string, Channel>> = {
  OpenAI: { type: 1, model: 'gpt-5.4-codex', start: startOpenaiVendor },
  'compatible chat': { type: 8, model: 'gpt-4.1', path: '/v1/chat/completions', start: startOpenaiVendor },
  Anthropic: { type: 14, model: 'claude-sonnet-4-5', start: startAnthropicVendor },
  Gemini: { type: 24, model: 'gemini-2.5-flash', start: startGeminiVendor },
  DeepSeek: { type: 43, model: 'deepseek-chat', start: startDeepseekVendor },
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'Tells the weather of a place',
  parameters: {
    type: 'object',
    properties: { location: { type: 'string' } },
    required: ['location'],
    additionalProperties: false,
  },
}
const schema = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
  additionalProperties: false,
}
const said = (role: string, content: unknown) => ({ type: 'message', role, content })
const CALL = { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"location":"Ulm"}' }

/** What is sent, and what its answer has to be; a response that stays unsaid is a plain text. */
interface Question {
  body: object
  holds?(response: Json): unknown
}

const text = (response: Json): string =>
  response.output
    .flatMap(({ content = [] }: Json) => content)
    .map((part: Json) => part.text ?? '')
    .join('')
const isText = (response: Json) => {
  expect(response.status).toBe('completed')
  expect(text(response)).toContain('Hello')
}
const calls = (type: string) => (response: Json) => {
  const found = response.output.filter((item: Json) => item.type === type)
  expect(found).toHaveLength(1)
  expect(found[0].status).toBe('completed')
  return found[0]
}

const QUESTIONS: Readonly<Record<string, Question>> = {
  'a basic text': { body: { input: 'Say hello in three words.' } },
  'messages as a list': { body: { input: [said('user', 'Say hello.')] } },
  'parts of text': { body: { input: [said('user', [{ type: 'input_text', text: 'Say hello.' }])] } },
  instructions: {
    body: { input: 'Say hello.', instructions: 'You are a pirate.' },
    holds: (response) => expect(response.instructions).toBe('You are a pirate.'),
  },
  'a system message': { body: { input: [said('system', 'You are a pirate.'), said('user', 'Say hello.')] } },
  'a developer message': { body: { input: [said('developer', 'You are a pirate.'), said('user', 'Say hello.')] } },
  'a tool that is called': {
    body: { input: 'What is the weather in Ulm?', tools: [WEATHER] },
    holds(response) {
      const { name, call_id, arguments: given } = calls('function_call')(response)
      expect([name, typeof call_id]).toEqual(['get_weather', 'string'])
      expect(JSON.parse(given)).toEqual({ location: 'Ulm' })
      expect(response.tools[0]).toMatchObject({ type: 'function', name: 'get_weather', parameters: WEATHER.parameters })
    },
  },
  'a tool that must be called': {
    body: { input: 'What is the weather in Ulm?', tools: [WEATHER], tool_choice: 'required' },
    holds(response) {
      calls('function_call')(response)
      expect(response.tool_choice).toBe('required')
    },
  },
  'the result of a tool': {
    body: {
      input: [
        said('user', 'What is the weather in Ulm?'),
        CALL,
        { type: 'function_call_output', call_id: 'call_1', output: 'Rain' },
      ],
      tools: [WEATHER],
    },
  },
  'a picture': {
    body: {
      input: [
        said('user', [
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', image_url: `data:image/png;base64,${PIXEL}` },
        ]),
      ],
    },
  },
  'several turns': {
    body: {
      input: [said('user', 'My name is Ada.'), said('assistant', 'Hello, Ada!'), said('user', 'What is my name?')],
    },
  },
  'an earlier answer as it came': {
    body: {
      input: [
        said('user', 'My name is Ada.'),
        {
          id: 'msg_1',
          status: 'completed',
          ...said('assistant', [{ type: 'output_text', text: 'Hello, Ada!', annotations: [], logprobs: [] }]),
        },
        said('user', 'What is my name?'),
      ],
    },
  },
  'JSON of a schema': {
    body: { input: 'Say hello.', text: { format: { type: 'json_schema', name: 'answer', schema, strict: true } } },
    holds(response) {
      expect(JSON.parse(text(response))).toHaveProperty('answer')
      expect(response.text.format).toMatchObject({ type: 'json_schema', name: 'answer', schema })
    },
  },
  'a verbosity alone': {
    body: { input: 'Say hello.', text: { verbosity: 'low' } },
    holds: (response) => expect(response.text).toMatchObject({ format: { type: 'text' }, verbosity: 'low' }),
  },
  'a limit and metadata': {
    body: { input: 'Say hello.', max_output_tokens: 2048, metadata: { topic: 'greeting' } },
    holds(response) {
      expect(response).toMatchObject({ max_output_tokens: 2048, metadata: { topic: 'greeting' } })
      isText(response)
    },
  },
  'an answer that is not kept': {
    body: { input: 'Say hello.', store: false },
    holds: (response) => expect(response.store).toBe(false),
  },
  'usage and times': {
    body: { input: 'Say hello.' },
    holds(response) {
      expect(response.usage.total_tokens).toBe(response.usage.input_tokens + response.usage.output_tokens)
      expect(response.completed_at).toBeGreaterThanOrEqual(response.created_at)
    },
  },
}

/** Tools that Open Responses has no word for: what becomes of each in the answer. */
const TOOLS: Readonly<Record<string, { tool: object; item: string; type: string }>> = {
  'a custom tool': {
    tool: { type: 'custom', name: 'poem', description: 'Takes a poem' },
    item: 'custom_tool_call',
    type: 'custom',
  },
  'a local shell': { tool: { type: 'local_shell' }, item: 'local_shell_call', type: 'local_shell' },
  'a shell': { tool: { type: 'shell' }, item: 'shell_call', type: 'shell' },
  'a patch': { tool: { type: 'apply_patch' }, item: 'apply_patch_call', type: 'apply_patch' },
  'a search of tools': {
    tool: {
      type: 'tool_search',
      execution: 'client',
      description: 'Searches',
      parameters: { type: 'object', properties: {} },
    },
    item: 'tool_search_call',
    type: 'tool_search',
  },
}
const ARGUMENTS: Readonly<Record<string, Record<string, unknown>>> = {
  get_weather: { location: 'Ulm' },
  local_shell: { command: ['ls'] },
  shell: { commands: ['ls'] },
  apply_patch: { type: 'update_file', path: 'a.txt', diff: '@@\n-a\n+b\n' },
  tool_search: {},
}

/** Calls the one tool on offer, then says what it is asked for. */
function script({ tools, results, format }: Asked): Turn {
  const [tool] = tools
  if (tool && results.length === 0) {
    const args = ARGUMENTS[tool.name] ?? { input: 'Hello' }
    return { calls: [{ name: tool.name, args, ...(tool.name === 'poem' ? { input: 'Roses are red' } : {}) }] }
  }
  return { text: format ? '{"answer":"Hello"}' : 'Hello there, friend!' }
}

describe('the suite of Open Responses', () => {
  let weir: TestGateway
  let ada: Caller
  const vendors: Vendor[] = []
  beforeAll(async () => {
    weir = await openTestGateway()
    await weir.set('SelfUseModeEnabled', true)
    for (const { type, model, path = '', start } of Object.values(CHANNELS)) {
      const vendor = await start(script)
      vendors.push(vendor)
      await weir.addChannel({ type, models: model, base_url: vendor.url + path })
    }
    ada = await weir.addCaller({ quota: 1_000_000_000 })
  }, 60_000)
  afterAll(() => Promise.all([weir.close(), ...vendors.map((vendor) => vendor.close())]))

  async function ask(model: string, body: object, stream: boolean): Promise<Json> {
    const answer = await fetch(`${weir.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream, ...body }),
    })
    const came = await answer.text()
    expect(answer.status, came).toBe(200)
    if (!stream) {
      const response = JSON.parse(came) as Json
      expect(responseFaults(response)).toEqual([])
      return response
    }
    const events = dataEvents(came).map(({ event, data }) => ({ event, ...(JSON.parse(data) as Json) }))
    for (const { event, type } of events) expect(event).toBe(type)
    expect(responseStreamFaults(events)).toEqual([])
    return events.at(-1)!.response
  }

  it.each(Object.entries(CHANNELS))('passes on a channel of %s', async (_, { model }) => {
    const asked = Object.entries(QUESTIONS).flatMap(([name, question]) =>
      [false, true].map((stream) => ({ name: `${name}${stream ? ', streamed' : ''}`, question, stream })),
    )
    const failures = await listFailures(
      asked,
      ({ name }) => name,
      async ({ question, stream }) => (question.holds ?? isText)(await ask(model, question.body, stream)),
    )
    expect(failures).toEqual([])
  })

  /** Those that speak Responses themselves are asked with the tools as they are. */
  const others = Object.entries(CHANNELS).filter(([name]) => name !== 'OpenAI' && name !== 'DeepSeek')
  it.each(others)('gives calls of every kind of tool on a channel of %s', async (_, { model }) => {
    const asked = Object.entries(TOOLS).flatMap(([name, tool]) =>
      [false, true].map((stream) => ({ name, tool, stream })),
    )
    const failures = await listFailures(
      asked,
      ({ name }) => name,
      async ({ tool: { tool, item }, stream }) =>
        calls(item)(await ask(model, { input: 'Do it.', tools: [tool] }, stream)),
    )
    expect(failures).toEqual([])
  })
})
