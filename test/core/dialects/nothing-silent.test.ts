// A request that goes from one format to another: what it said is there, or named as dropped. Nothing is lost silently.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import type { ContentPart, Message, ModelRequest, ResponseFormat } from '../../../core/dialects/model-request.ts'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'
import { formatInWords } from '../../../core/dialects/json-schema/words.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { openaiCompletions } from '../../../core/dialects/openai-completions.ts'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const text: fc.Arbitrary<ContentPart> = word.map((said) => ({ type: 'text', text: said }))
const part: fc.Arbitrary<ContentPart> = fc.oneof(
  text,
  fc.constantFrom<ContentPart>(
    { type: 'image', url: 'https://pictures.test/1.png' },
    { type: 'image', url: 'data:image/png;base64,AAAA', detail: 'low' },
    { type: 'audio', data: 'AAAA', format: 'wav' },
    { type: 'file', data: 'AAAA', media_type: 'application/pdf', filename: 'a.pdf' },
    { type: 'file', url: 'https://files.test/a.pdf' },
    { type: 'file', file_id: 'file-1' },
  ),
)

/** A question, a call, its answer, and the next question. */
const messages: fc.Arbitrary<Message[]> = fc
  .record({
    system: text,
    asked: fc.array(part, { minLength: 1, maxLength: 3 }),
    name: fc.option(word, { nil: undefined }),
    said: word,
    thought: word,
    input: fc.dictionary(word, word),
    output: word,
    failed: fc.boolean(),
  })
  .map(({ system, asked, name, said, thought, input, output, failed }): Message[] => [
    { role: 'system', content: [system] },
    { role: 'user', content: [{ type: 'text', text: 'Look:' }, ...asked], ...(name ? { name } : {}) },
    {
      role: 'assistant',
      content: [{ type: 'text', text: said }],
      reasoning: [{ text: thought, signature: 'c2lnbmVk' }],
      tool_calls: [{ id: 'call_1', name: 'look', arguments: JSON.stringify(input) }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: output }], ...(failed ? { failed } : {}) },
    { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
  ])

const request: fc.Arbitrary<ModelRequest> = fc.record(
  {
    dialect: fc.constant('another'),
    model: fc.constantFrom('a-model', 'gpt-5', 'gpt-4o', 'claude-sonnet-4-5', 'claude-opus-4-8', 'gemini-3.5-flash'),
    stream: fc.boolean(),
    messages,
    tools: fc
      .record({ description: word, strict: fc.boolean() }, { requiredKeys: [] })
      .map((more) => [{ name: 'look', parameters: { type: 'object', properties: {} }, ...more }]),
    hosted_tools: fc.constantFrom([{ name: 'web_search' }], [{ name: 'code_interpreter' }]),
    tool_choice: fc.constantFrom('auto' as const, 'none' as const, 'required' as const, { name: 'look' }),
    parallel_tool_calls: fc.boolean(),
    max_tokens: fc.integer({ min: 2000, max: 60_000 }),
    temperature: fc.constantFrom(0, 0.5, 1, 1.5),
    top_p: fc.constantFrom(0.5, 1),
    top_k: fc.integer({ min: 1, max: 50 }),
    seed: fc.nat(100),
    logprobs: fc.constant(true as const),
    top_logprobs: fc.nat(20),
    presence_penalty: fc.constantFrom(0.5, -0.5),
    frequency_penalty: fc.constantFrom(0.5, -0.5),
    stop: fc.array(word, { minLength: 1, maxLength: 7 }),
    n: fc.constantFrom(1, 2),
    user: word,
    service_tier: fc.constantFrom('flex', 'priority'),
    response_format: fc.constantFrom({}, { name: 'shape', schema: { type: 'object', properties: {} }, strict: true }),
    reasoning_effort: fc.constantFrom('none', 'low', 'high'),
    modalities: fc.constantFrom(['text'], ['text', 'image']),
    extra: fc.constantFrom({}, { a_word_of_its_own: 1 }),
  },
  { requiredKeys: ['dialect', 'model', 'stream', 'messages', 'extra'] },
)

const dialects: readonly Dialect[] = [openaiChat, openaiCompletions, openaiResponses, anthropicMessages, geminiGenerate]

const FIELDS = (
  'tools hosted_tools tool_choice parallel_tool_calls max_tokens temperature top_p top_k seed logprobs top_logprobs presence_penalty ' +
  'frequency_penalty stop n user service_tier response_format reasoning_effort modalities'
).split(' ') as (keyof ModelRequest)[]

/** Losses that are named by other words than the field. */
const NAMES: Readonly<Record<string, string>> = { hosted_tools: 'tools.', 'image_url.detail': 'image' }

/** What is said where a format says it by saying nothing, and words that come to the same. */
function means(request: ModelRequest, field: keyof ModelRequest): unknown {
  const value = request[field]
  switch (field) {
    case 'n':
      return value ?? 1
    // Without tools there is nothing to choose.
    case 'tool_choice':
      return request.tools ? (value ?? 'auto') : 'auto'
    case 'parallel_tool_calls':
      return request.tools && request.tool_choice !== 'none' ? (value ?? true) : true
    case 'modalities':
      return value ?? ['text']
    case 'temperature':
    case 'top_p':
      return value ?? 1
    // The least limit that leaves room to think.
    case 'max_tokens':
      return value !== undefined
    case 'tools':
      return request.tools?.map(({ name, description }) => ({ name, description }))
    case 'hosted_tools':
      return request.hosted_tools?.map(({ name }) => name)
    // The name of a shape is a label, and each vendor has its own words for the shape (schemas.test.ts).
    case 'response_format':
      return request.response_format && { shaped: request.response_format.schema !== undefined }
    // Each model has its own words for it, and some can only think as little as they can.
    case 'reasoning_effort':
      return /none|minimal/.test(request.reasoning_effort ?? 'none') && !request.reasoning_budget ? 'none' : 'some'
    default:
      return value
  }
}

/** What the messages hold, by the word under which a loss of it is named; a format may be said among them. */
function held(messages: readonly Message[], format?: ResponseFormat): Record<string, unknown> {
  const parts = messages.flatMap(({ content }) => content)
  const count = (type: string) => parts.filter((one) => one.type === type).length
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? [])
  return {
    text: parts
      .flatMap((one) => (one.type === 'text' ? [one.text] : []))
      .join('')
      .replace(format ? formatInWords(format) : '', '')
      .replaceAll(/\s/g, ''),
    image: count('image'),
    audio: count('audio'),
    file: count('file'),
    'image_url.detail': parts.some((one) => one.type === 'image' && one.detail === 'low'),
    name: messages.map(({ name, role }) => (role === 'user' ? name : undefined)).find(Boolean),
    tool_calls: calls.map(({ name, arguments: given }) => [name, JSON.parse(given)]),
    tool_result: messages.some(({ failed }) => failed),
    reasoning: messages
      .flatMap(({ reasoning }) => reasoning ?? [])
      .map(({ text }) => text)
      .join(''),
  }
}

describe.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
  'a request of another format, in %s',
  (_, to) => {
    it('says all of it, or names what it leaves out', () => {
      fc.assert(
        fc.property(request, (asked) => {
          const { body, dropped } = to.writeModelRequest(asked)
          const read = to.readModelRequest(body, { model: asked.model, stream: asked.stream })
          const isNamed = (field: string) => dropped.some((name) => name.includes(NAMES[field] ?? field))
          const lost = FIELDS.filter((field) => asked[field] !== undefined)
            .filter((field) => JSON.stringify(means(read, field)) !== JSON.stringify(means(asked, field)))
            .filter((field) => !isNamed(field))
          const before = held(asked.messages)
          const after = held(read.messages, asked.response_format)
          const unsaid = Object.keys(before)
            .filter((word) => JSON.stringify(before[word]) !== JSON.stringify(after[word]))
            .filter((word) => !isNamed(word))
          expect(
            [...lost, ...unsaid],
            `dropped: ${dropped.join(', ')}; body: ${new TextDecoder().decode(body)}`,
          ).toEqual([])
          if ('a_word_of_its_own' in asked.extra) expect(dropped).toContain('a_word_of_its_own')
        }),
        { numRuns: 300 },
      )
    })

    it('names nothing that is there', () => {
      const plain: ModelRequest = {
        dialect: 'another',
        model: 'a-model',
        stream: false,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
        max_tokens: 100,
        temperature: 0.5,
        extra: {},
      }
      expect(to.writeModelRequest(plain).dropped).toEqual([])
    })
  },
)
