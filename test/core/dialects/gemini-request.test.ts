// Gemini's requests: what is written is read back, and what Google's format cannot say is named.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContentPart, Message, ModelRequest } from '../../../core/dialects/model-request.ts'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import type { Json } from '../../support/json.ts'

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const json = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))
const place = { model: 'gemini-2.5-flash', stream: false }
const read = (body: object, at = place) => geminiGenerate.readModelRequest(bytes(body), at)
const said = (text: string) => ({ role: 'user', parts: [{ text }] })

const word = fc.string({ minLength: 1, maxLength: 12 })
const base64 = fc.uint8Array({ minLength: 1, maxLength: 9 }).map((data) => Buffer.from(data).toString('base64'))
const text = word.map((value): ContentPart => ({ type: 'text', text: value }))
const part: fc.Arbitrary<ContentPart> = fc.oneof(
  text,
  base64.map((data): ContentPart => ({ type: 'image', url: `data:image/webp;base64,${data}` })),
  fc.constant<ContentPart>({ type: 'image', url: 'https://pictures.example/a.png' }),
  base64.map((data): ContentPart => ({ type: 'audio', data, format: 'wav' })),
  base64.map((data): ContentPart => ({ type: 'file', url: `data:application/pdf;base64,${data}` })),
  fc.constant<ContentPart>({ type: 'file', url: 'https://files.example/film', media_type: 'video/mp4' }),
)
const content = fc.array(part, { minLength: 1, maxLength: 3 })
const object = fc.dictionary(word, fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null)), { maxKeys: 3 })
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const clean = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

const call = fc.record({
  name: word,
  arguments: object.map((args) => JSON.stringify(args)),
  signature: optional(base64),
})
const answer = fc.record({
  text: fc.oneof(
    fc.string(),
    object.map((value) => JSON.stringify(value)),
    fc.constant('{"output":"x"}'),
  ),
  failed: optional(fc.constant(true)),
})
const exchange = fc
  .record({
    user: content,
    said: content,
    thought: optional(fc.record({ text: word, signature: optional(base64) })),
    calls: fc.array(fc.tuple(call, answer), { maxLength: 2 }),
  })
  // Google signs a call, where there is one, and not the thought.
  .map(({ thought, ...one }) => ({
    ...one,
    thought: one.calls.length > 0 && thought ? { text: thought.text } : thought,
  }))
const messages = fc
  .tuple(optional(fc.array(text, { minLength: 1, maxLength: 2 })), fc.array(exchange, { minLength: 1, maxLength: 3 }))
  .map(([system, exchanges]): Message[] => [
    ...(system ? [{ role: 'system' as const, content: system }] : []),
    ...exchanges.flatMap(({ user, said, thought, calls }, turn): Message[] => [
      { role: 'user', content: user },
      {
        role: 'assistant',
        content: said,
        ...(calls.length ? { tool_calls: calls.map(([one], at) => ({ id: `id_${turn}_${at}`, ...one })) } : {}),
        ...(thought ? { reasoning: [thought] } : {}),
      },
      ...calls.map(([{ name }, { text, failed }], at): Message => ({
        role: 'tool',
        content: [{ type: 'text', text }],
        name,
        tool_call_id: `id_${turn}_${at}`,
        ...(failed ? { failed } : {}),
      })),
    ]),
  ])
const schema = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(
      { type: 'string' },
      { type: ['integer', 'null'] },
      { type: 'string', enum: ['a', 'b'] },
      { type: 'number', minimum: 1 },
    ),
    tie('any').map((items) => ({ type: 'array', items })),
    fc.dictionary(word, tie('any'), { minKeys: 1, maxKeys: 2 }).map((properties) => ({ type: 'object', properties })),
  ),
})).any
const parameters = fc
  .dictionary(word, schema, { minKeys: 1, maxKeys: 2 })
  .map((properties) => ({ type: 'object', properties }))
const request = fc.record({
  messages,
  tools: optional(
    fc.array(fc.record({ name: word, description: optional(word), parameters: optional(parameters) }), {
      minLength: 1,
      maxLength: 2,
    }),
  ),
  hosted_tools: optional(
    fc
      .subarray(['web_search', 'web_fetch', 'code_execution'], { minLength: 1 })
      .map((all) => all.map((name) => ({ name }))),
  ),
  tool_choice: optional(
    fc.oneof(
      fc.constantFrom<('auto' | 'none' | 'required')[]>('auto', 'none', 'required'),
      word.map((name) => ({ name })),
    ),
  ),
  max_tokens: optional(fc.nat(100_000)),
  temperature: optional(fc.constantFrom(0, 0.5, 2)),
  top_p: optional(fc.constantFrom(0, 0.9)),
  top_k: optional(fc.nat(40)),
  seed: optional(fc.integer()),
  presence_penalty: optional(fc.constantFrom(-1, 0, 1)),
  frequency_penalty: optional(fc.constantFrom(-1, 0, 1)),
  stop: optional(fc.array(word, { minLength: 1, maxLength: 5 })),
  n: optional(fc.integer({ min: 1, max: 4 })),
  service_tier: optional(fc.constantFrom('flex', 'priority')),
  response_format: optional(
    fc.oneof(
      fc.constant({}),
      parameters.map((shape) => ({ schema: shape })),
    ),
  ),
  modalities: optional(fc.constantFrom(['text', 'image'], ['audio'])),
  reasoning_budget: optional(fc.constantFrom(-1, 0, 1, 777, 24_576)),
  extra: fc.constantFrom<Record<string, unknown>[]>(
    {},
    {
      cachedContent: 'cachedContents/x',
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
      'generationConfig.mediaResolution': 'LOW',
      'toolConfig.retrievalConfig': { languageCode: 'de' },
    },
  ),
})

describe("Gemini's requests", () => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(request, (more) => {
        const asked = clean({ dialect: 'gemini-generate', ...place, ...more })
        const { body, dropped } = geminiGenerate.writeModelRequest(asked as ModelRequest)
        expect(dropped).toEqual([])
        const { vendorData: kept, ...again } = geminiGenerate.readModelRequest(body, place)
        expect(again).toEqual(asked)
        expect(kept !== undefined).toBe('cachedContent' in asked.extra)
      }),
    )
  })

  it('name model and streaming in the address', () => {
    const body = bytes({ contents: [said('hi')], generationConfig: { maxOutputTokens: 9 } })
    expect(geminiGenerate.readRequestHead(body, { model: 'models/gemini-x', stream: true })).toMatchObject({
      model: 'gemini-x',
      stream: true,
      max_tokens: 9,
      include_usage: true,
    })
    expect(() => geminiGenerate.readRequestHead(body)).toThrow('no model')
    expect(() => geminiGenerate.readRequestHead(bytes({}), place)).toThrow('contents is required')
    expect(() => read({ contents: [said('x')], generationConfig: { maxOutputTokens: -1 } })).toThrow('maxOutputTokens')
    expect(read({ contents: [{ parts: [{ hologram: { a: 1 } }] }] }).lost).toEqual(['hologram'])
  })

  it('are understood with underscores, and with a single turn or part without its list', () => {
    const inline = { inline_data: { mime_type: 'image/png', data: 'a-_b' } }
    const { messages, response_format, max_tokens, tool_choice, reasoning_budget } = read({
      system_instruction: { parts: { text: 'be brief' } },
      contents: { parts: inline },
      generation_config: {
        max_output_tokens: 5,
        response_mime_type: 'application/json',
        response_schema: { type: 'OBJECT', any_of: null },
        thinking_config: { include_thoughts: true },
      },
      tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['f'] } },
    })
    expect(messages).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'be brief' }] },
      { role: 'user', content: [{ type: 'image', url: 'data:image/png;base64,a+/b' }] },
    ])
    expect({ response_format, max_tokens, tool_choice, reasoning_budget }).toMatchObject({
      response_format: { schema: { type: 'object' } },
      max_tokens: 5,
      tool_choice: { name: 'f' },
      reasoning_budget: -1,
    })
  })

  it('without ids of calls get some, and each answer its own', () => {
    const calls = ['a', 'b', 'a'].map((name, at) => ({ functionCall: { name, args: { at } } }))
    const answers = ['b', 'a', 'a'].map((name, at) => ({ functionResponse: { name, response: { at } } }))
    const { messages } = read({
      contents: [said('x'), { role: 'model', parts: calls }, { role: 'user', parts: answers }],
    })
    expect(messages[1]?.tool_calls?.map(({ id }) => id)).toEqual(['call_0', 'call_1', 'call_2'])
    expect(messages.slice(2).map(({ tool_call_id }) => tool_call_id)).toEqual(['call_1', 'call_0', 'call_2'])
  })

  it.each([
    [['tools-a'], ['tools__a'], ['call_0']],
    [
      ['tools-a', 'b'],
      ['b', 'tools__a'],
      ['call_1', 'call_0'],
    ],
    [
      ['b', 'tools-a'],
      ['tools__a', 'b'],
      ['call_1', 'call_0'],
    ],
    [
      ['a-a', 'a-b'],
      ['a__a', 'a__b'],
      ['call_0', 'call_1'],
    ],
  ])('without ids, calls of %j are answered as %j', (called, answered, ids) => {
    const calls = called.map((name) => ({ functionCall: { name, args: {} } }))
    const answers = answered.map((name) => ({ functionResponse: { name, response: {} } }))
    const { messages } = read({
      contents: [said('x'), { role: 'model', parts: calls }, { role: 'user', parts: answers }],
    })
    expect(messages.slice(2).map(({ tool_call_id }) => tool_call_id)).toEqual(ids)
  })

  it('say to another format what it has words for, and name the rest', () => {
    const asked = read({
      contents: [
        said('x'),
        {
          role: 'model',
          parts: [
            { executableCode: { language: 'PYTHON', code: 'print(1)' } },
            { codeExecutionResult: { output: '1\n' } },
          ],
        },
      ],
      safetySettings: [{}],
      cachedContent: 'c',
      tools: [{ googleMaps: {} }, { googleSearch: {} }],
      generationConfig: { speechConfig: {}, responseModalities: ['TEXT'], stopSequences: ['.'] },
    })
    const { body, dropped } = openaiChat.writeModelRequest(asked)
    expect(dropped).toEqual(['safetySettings', 'cachedContent', 'tools', 'generationConfig.speechConfig'])
    expect(json(body)).toMatchObject({ stop: ['.'], web_search_options: {} })
    expect(json(body).messages[1].content).toBe('\n```python\nprint(1)\n```\n\n```\n1\n```\n')
    expect(json(body)).not.toHaveProperty('modalities')
  })
})

const NUMBERS: [said: object, read: (request: ModelRequest) => unknown][] = [
  [{ temperature: 0.5 }, (request) => request.temperature],
  [{ topP: 0.9 }, (request) => request.top_p],
  [{ topK: 40 }, (request) => request.top_k],
  [{ candidateCount: 2 }, (request) => request.n],
  [{ maxOutputTokens: 100 }, (request) => request.max_tokens],
  [{ presencePenalty: -1.5 }, (request) => request.presence_penalty],
  [{ frequencyPenalty: 1e-3 }, (request) => request.frequency_penalty],
  [{ seed: 7 }, (request) => request.seed],
  [{ logprobs: 3 }, (request) => request.top_logprobs],
  [{ thinkingConfig: { thinkingBudget: 512 } }, (request) => request.reasoning_budget],
]

describe('a number', () => {
  it.each(NUMBERS)('that is written as a text is that number: %j', (config, told) => {
    const written = JSON.stringify(config).replace(/:(-?[\d.e-]+)/, ':"$1"')
    const asked = (generationConfig: object) => read({ contents: [said('Hello')], generationConfig })
    expect(told(asked(config))).toBeTypeOf('number')
    expect(told(asked(JSON.parse(written)))).toBe(told(asked(config)))
    const word = JSON.parse(written.replace(/:"[^"]*"/, ':"many"')) as object
    expect(() => asked(word)).toThrow(/number/)
  })
})
