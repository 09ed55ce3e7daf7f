// Answers of status 200 that say nothing: they are tried elsewhere, nobody pays for them whatever they report, and the caller
// reads an error. What is empty and ends regularly is an answer.
import { afterEach, describe, expect, it } from 'vitest'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from '../../../core/index.ts'
import { listFailures } from '../../support/list-failures.ts'
import { streamed, whole } from '../../support/memory-upstream.ts'
import { MODEL, openRelay, QUOTA, type Relayed } from './calls.ts'

const opened: Relayed[] = []
afterEach(async () => {
  for (const { gateway } of opened.splice(0)) await gateway.close()
})

const frame = (data: object): string => {
  const type = (data as { type?: string }).type
  return `${type ? `event: ${type}\n` : ''}data: ${JSON.stringify(data)}\n\n`
}
const DONE = 'data: [DONE]\n\n'
const messages = [{ role: 'user', content: 'Hello' }]
const callers: [Dialect, object][] = [
  [openaiChat, { messages }],
  [openaiResponses, { input: 'Hello' }],
  [anthropicMessages, { messages, max_tokens: 10 }],
  [geminiGenerate, { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }],
]

interface Shape {
  stream?: string[]
  body?: object
}
interface Provider {
  type: number
  empty: Record<string, Shape>
  answers: Record<string, Shape>
}

const usage = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105 }
const chunk = (delta: object, finish_reason: string | null = null) =>
  frame({ id: 'a', choices: [{ index: 0, delta, finish_reason }] })
const chat = (message: object, finish_reason: string | null) => ({
  id: 'a',
  choices: [{ index: 0, message, finish_reason }],
  usage,
})

const chatProvider: Provider = {
  // Speaks chat alone.
  type: 42,
  empty: {
    'only an end mark': { stream: [DONE] },
    'a report and an end mark': {
      stream: [chunk({ role: 'assistant', content: '' }), frame({ choices: [], usage }), DONE],
    },
    'an error as it is, and an end mark': { stream: ['{"error":{"message":"overloaded"}}\n\n' + DONE] },
    'the same without a blank line': { stream: ['{"error":{"message":"overloaded"}}\n' + DONE] },
    'a thought without a finish': {
      stream: [chunk({ reasoning_content: 'hm' }) + frame({ choices: [], usage }) + DONE],
    },
    'calls that were malformed': { stream: [chunk({}, 'function_call_filter: MALFORMED_FUNCTION_CALL'), DONE] },
    'no choices': { body: { id: 'a', choices: [], usage } },
    'no finish': { body: chat({ role: 'assistant', content: '' }, null) },
    'a whole thought without a finish': { body: chat({ content: null, reasoning_content: 'hm' }, null) },
  },
  answers: {
    'a finish in a stream': {
      stream: [chunk({ role: 'assistant', content: '' }), chunk({}, 'stop'), frame({ choices: [], usage }), DONE],
    },
    'a finish': { body: chat({ role: 'assistant', content: '' }, 'stop') },
    'a text without a finish': { body: chat({ role: 'assistant', content: 'Hi' }, null) },
  },
}

const counts = { input_tokens: 100, output_tokens: 5 }
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
  usage: counts,
}
const anthropicProvider: Provider = {
  type: 14,
  empty: {
    'an end without a reason': { stream: [frame({ type: 'message_start', message }), frame({ type: 'message_stop' })] },
    'a message without a reason': { body: message },
    'a thought without a reason': {
      body: { ...message, content: [{ type: 'thinking', thinking: 'hm', signature: 's' }] },
    },
  },
  answers: {
    'an end in a stream': {
      stream: [
        frame({ type: 'message_start', message }),
        frame({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: counts }),
        frame({ type: 'message_stop' }),
      ],
    },
    'an end': { body: { ...message, stop_reason: 'end_turn' } },
  },
}

const candidate = (finishReason: string | undefined, parts: object[] = []) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }],
  usageMetadata: { promptTokenCount: 100, totalTokenCount: 100 },
})
const odd = (reason: string): Record<string, Shape> => ({
  [`${reason} in a stream`]: { stream: [frame(candidate(reason))] },
  [reason]: { body: candidate(reason) },
  [`a thought and ${reason}`]: { body: candidate(reason, [{ text: 'hm', thought: true }]) },
})
const geminiProvider: Provider = {
  type: 24,
  empty: {
    ...odd('MALFORMED_FUNCTION_CALL'),
    ...odd('UNEXPECTED_TOOL_CALL'),
    'no candidates': { body: { usageMetadata: { promptTokenCount: 100 } } },
  },
  answers: {
    'STOP in a stream': { stream: [frame(candidate('STOP'))] },
    STOP: { body: candidate('STOP') },
    'MAX_TOKENS behind a thought': { body: candidate('MAX_TOKENS', [{ text: 'hm', thought: true }]) },
    'a text that ends oddly': { body: candidate('OTHER', [{ text: 'Hi' }]) },
  },
}

const cases = (shapes: Record<string, Shape>) =>
  Object.entries(shapes).flatMap(([name, shape]) =>
    callers.map(([inbound, words]) => ({ name, shape, inbound, words })),
  )

async function play(relay: Relayed, { shape, inbound, words }: ReturnType<typeof cases>[number]) {
  const stream = shape.stream !== undefined
  const { upstream } = relay.gateway
  upstream.reply(shape.stream ? streamed(...shape.stream) : { ...whole(''), parts: [JSON.stringify(shape.body)] })
  const [tried, before] = [upstream.requests.length, await relay.balance()]
  const body = new TextEncoder().encode(JSON.stringify({ model: MODEL, ...words, ...(stream ? { stream } : {}) }))
  const answered = await relay.run({}, { inbound, body, place: { model: MODEL, stream } })
  return { ...answered, tries: upstream.requests.length - tried, paid: before! - (await relay.balance())! }
}

describe.each([
  ['chat', chatProvider],
  ['messages', anthropicProvider],
  ['Gemini', geminiProvider],
])('an answer in the format of %s', (_, { type, empty, answers }) => {
  const name = ({ name, inbound }: ReturnType<typeof cases>[number]) => `${name}, to ${inbound.name}`

  it('that says nothing is tried elsewhere, and costs nothing', async () => {
    const relay = await openRelay({ channels: [{ type }, { type }] })
    opened.push(relay)
    const failures = await listFailures(cases(empty), name, async (one) => {
      const { error, head, tries, paid } = await play(relay, one)
      expect({ tries, paid, head }).toEqual({ tries: 2, paid: 0, head: undefined })
      expect((error as { failure?: { status: number } }).failure?.status).toBe(502)
    })
    expect(failures).toEqual([])
    expect(await relay.balance()).toBe(QUOTA)
    await relay.settled()
  })

  it('that says nothing and ends regularly is one', async () => {
    const relay = await openRelay({ channels: [{ type }, { type }] })
    opened.push(relay)
    const failures = await listFailures(cases(answers), name, async (one) => {
      const { error, tries, paid } = await play(relay, one)
      expect({ error, tries }).toEqual({ error: undefined, tries: 1 })
      expect(paid).toBeGreaterThan(0)
    })
    expect(failures).toEqual([])
    await relay.settled()
  })
})

describe('a thought whose stream then ends without a finish', () => {
  it('is told as an error in what has begun, and costs nothing', async () => {
    const relay = await openRelay()
    opened.push(relay)
    for (const inbound of [openaiChat, anthropicMessages]) {
      relay.gateway.upstream.reply(streamed(chunk({ reasoning_content: 'hm' }), frame({ choices: [], usage }), DONE))
      const body = new TextEncoder().encode(JSON.stringify({ model: MODEL, messages, max_tokens: 10, stream: true }))
      const { text } = await relay.run({}, { inbound, body })
      expect(text).toContain('without anything in it')
    }
    expect(await relay.balance()).toBe(QUOTA)
    await relay.settled()
  })
})

describe('a thought with an error behind it', () => {
  it('keeps the words of the error and costs nothing, if nothing was sent', async () => {
    const error = { message: 'the tool call does not match', code: 'tool_use_failed', status_code: 400 }
    const relay = await openRelay()
    opened.push(relay)
    const broken = `event: error\ndata: ${JSON.stringify({ error })}\n\n`
    relay.gateway.upstream.reply(streamed(chunk({ reasoning: 'hm' }) + broken))
    const { error: thrown, head } = await relay.run({ stream: true })
    expect(head).toBeUndefined()
    expect(thrown).toMatchObject({ failure: { status: 400, message: error.message } })
    expect(await relay.balance()).toBe(QUOTA)
    await relay.settled()
  })
})
