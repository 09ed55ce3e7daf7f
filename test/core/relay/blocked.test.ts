// A prompt that its provider will not answer is booked one way: whoever asked, in whatever format, streamed or not.
import { describe, expect, it } from 'vitest'
import { encodeEventFrames } from '../../../core/dialects/answers/frames.ts'
import { CONTENT_WITHHELD } from '../../../core/dialects/answers/failures.ts'
import type { FinishReason, ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import type { MemoryReply } from '../../support/memory-upstream.ts'
import { callerFormats } from '../../support/formats.ts'
import { listFailures } from '../../support/list-failures.ts'
import { MODEL, openRelay, type Relayed } from './calls.ts'

const GEMINI = 24
/** Asked in chat alone, whatever its caller speaks. */
const CUSTOM = 8
const promptFeedback = { blockReason: 'SAFETY', blockReasonMessage: 'No.' }
const usageMetadata = { promptTokenCount: 12, totalTokenCount: 12 }

const asked: Record<string, object> = {
  'openai-chat': { messages: [{ role: 'user', content: 'hello' }] },
  'openai-completions': { prompt: 'hello' },
  'openai-responses': { input: 'hello' },
  'anthropic-messages': { messages: [{ role: 'user', content: 'hello' }], max_tokens: 10 },
  'gemini-generate': { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
}

function reply(streamed: boolean, answer: object): MemoryReply {
  const json = JSON.stringify(answer)
  return streamed
    ? { headers: { 'content-type': 'text/event-stream' }, parts: [`data: ${json}\n\n`] }
    : { headers: { 'content-type': 'application/json' }, parts: [json] }
}

interface Way {
  inbound: Dialect
  /** Whether the caller asks for a stream. */
  stream: boolean
  /** Whether the provider answers with a stream. */
  streamed: boolean
}

const ways = callerFormats.flatMap((inbound) =>
  [true, false].flatMap((stream) => [true, false].map((streamed): Way => ({ inbound, stream, streamed }))),
)
const nameWay = ({ inbound, stream, streamed }: Way) =>
  `${inbound.name}, streamed: ${stream}, answered as a stream: ${streamed}`

/** What the call was answered, and what of its row may not differ. */
async function bookOf(relay: Relayed, { inbound, stream }: Way, answered: MemoryReply) {
  const [balance, rows] = [await relay.balance(), await relay.logs()]
  relay.gateway.upstream.reply(answered)
  const body = new TextEncoder().encode(JSON.stringify({ model: MODEL, stream, ...asked[inbound.name] }))
  const { text, error } = await relay.run({}, { inbound, body, place: { model: MODEL, stream } })
  const [row, ...earlier] = await relay.logs()
  expect(earlier).toEqual(rows)
  const { type, quota, prompt_tokens, completion_tokens, content, detail } = row!
  const { cut_short, error_code, status_code } = detail
  return {
    failure: (error as { failure?: { status: number; code: string } } | undefined)?.failure,
    text,
    book: { type, quota, prompt_tokens, completion_tokens, content, cut_short, error_code, status_code },
    paid: balance! - (await relay.balance())!,
  }
}

describe.each([
  ['reported', { promptFeedback, usageMetadata }, 12],
  ['not reported', { promptFeedback }, 0],
] as const)('a blocked prompt whose usage is %s', (_, answer, due) => {
  it('is booked and paid as reported, for callers of every format', async () => {
    const relay = await openRelay({ channels: [{ type: GEMINI }] })
    const failures = await listFailures(ways, nameWay, async (way) => {
      const { failure, text, book, paid } = await bookOf(relay, way, reply(way.streamed, answer))
      expect(book).toEqual({
        ...{ type: 2, quota: due, prompt_tokens: due, completion_tokens: 0, cut_short: undefined },
        content: expect.stringMatching(/^The prompt was blocked: SAFETY\. No\.; /),
        ...{ error_code: 'prompt_blocked', status_code: 400 },
      })
      expect(paid).toBe(due)
      // In its own format the answer passes as it came.
      if (way.inbound.name === 'gemini-generate' && way.stream === way.streamed)
        expect(text).toContain('"blockReason":"SAFETY"')
      else expect(failure).toMatchObject({ status: 400, code: 'prompt_blocked' })
    })
    expect(failures).toEqual([])
    await relay.settled()
    await relay.gateway.close()
  })
})

describe('an answer that was withheld', () => {
  const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 }
  const choice = (said: object) => ({ index: 0, ...said, finish_reason: 'content_filter' })
  const whole = {
    id: 'c',
    created: 1,
    model: 'm',
    choices: [choice({ message: { role: 'assistant', content: 'No' } })],
  }
  const chunk = { id: 'c', created: 1, model: 'm', choices: [choice({ delta: { content: 'No' } })] }
  const told = (streamed: boolean): MemoryReply => {
    const one = reply(streamed, { ...(streamed ? chunk : whole), usage })
    return streamed ? { ...one, parts: [...one.parts!, 'data: [DONE]\n\n'] } : one
  }

  it('is booked and paid as reported, for callers of every format', async () => {
    const relay = await openRelay({ channels: [{ type: CUSTOM, base_url: 'http://p1.test/v1/chat/completions' }] })
    const failures = await listFailures(ways, nameWay, async (way) => {
      const { failure, book, paid } = await bookOf(relay, way, told(way.streamed))
      expect(failure).toBeUndefined()
      expect(book).toEqual({
        ...{ type: 2, quota: 18, prompt_tokens: 12, completion_tokens: 3, cut_short: undefined },
        content: expect.stringMatching(/^The provider withheld the answer/),
        ...{ error_code: 'content_filter', status_code: 200 },
      })
      expect(paid).toBe(18)
    })
    expect(failures).toEqual([])
    await relay.settled()
    await relay.gateway.close()
  })
})

describe.each(callerFormats.map((dialect) => [dialect.name, dialect] as const))(
  'an answer that passes in %s',
  (_, dialect) => {
    const head = { model: MODEL, stream: true, include_usage: true, prompt_estimate: 1 }
    const reasons: FinishReason[] = ['stop', 'length', 'tool_calls', 'content_filter']
    const call: ModelEvent = { type: 'tool_call', index: 0, choice: 0, id: 'c', name: 'f', arguments: '{}' }

    it.each(reasons)('and ended with %s is withheld only if it ended by a filter', (reason) => {
      const events: ModelEvent[] = [
        { type: 'start', id: 'an-id', model: 'm', created: 1 },
        { type: 'text', text: 'Hello', choice: 0 },
        ...(reason === 'tool_calls' ? [call] : []),
        { type: 'finish', reason, choice: 0 },
        { type: 'end' },
      ]
      const expected = reason === 'content_filter' ? CONTENT_WITHHELD : undefined
      const report = dialect.readAnswerReport(dialect.writeWholeReply(events, head))
      expect(report.failure).toBeUndefined()
      expect(report.blocked).toEqual(expected)
      const write = dialect.writer(head)
      const watcher = dialect.watcher(head)
      const findings = events.map((event) => watcher.look(encodeEventFrames(write(event))))
      expect([...findings, watcher.close()].findLast(({ blocked }) => blocked)?.blocked).toEqual(expected)
    })
  },
)
