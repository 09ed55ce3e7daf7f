// Chat answers as events, both ways: streams, whole answers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import type { RequestHead } from '../../../core/dialects/requests/head.ts'
import type { ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import { createFrameParser, encodeFrame } from '../../../core/dialects/answers/frames.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { recordingsOf } from '../../support/at-hand.ts'
import { listFailures } from '../../support/list-failures.ts'
import { bytesOf } from '../../support/recordings.ts'
import type { Json } from '../../support/json.ts'

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const head: RequestHead = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }

const word = fc.string({ minLength: 1, unit: 'grapheme' })
const choice = fc.nat(3)
const count = fc.nat(1_000_000)
const usage: fc.Arbitrary<Usage> = fc
  .record({
    input: count,
    cache_read: count,
    cache_write: count,
    cache_write_1h: count,
    output: fc.integer({ min: 1, max: 1e6 }),
  })
  .chain((one) => fc.nat(one.output).map((reasoning) => ({ ...one, reasoning, source: 'reported' as const })))
const said: fc.Arbitrary<ModelEvent> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: word, choice }),
  fc.record({ type: fc.constant('refusal' as const), text: word, choice }),
  fc.record(
    { type: fc.constant('reasoning' as const), text: word, choice, signature: word },
    { requiredKeys: ['type', 'text', 'choice'] },
  ),
)
/** Calls as readers give them: numbered, named once, with arguments, and some with a signature. */
const calls: fc.Arbitrary<ModelEvent[]> = fc
  .array(fc.record({ choice, name: word, more: word, signature: word }, { requiredKeys: ['choice', 'name', 'more'] }), {
    maxLength: 4,
  })
  .map((all) =>
    all.flatMap(({ choice, name, more, ...proof }, at): ModelEvent[] => {
      const index = all.slice(0, at).filter((one) => one.choice === choice).length
      const begun = { type: 'tool_call' as const, index, choice, id: `call_${at}`, name, arguments: '{"', ...proof }
      return [begun, { type: 'tool_call', index, choice, arguments: `${more.replaceAll(/["\\]/g, '')}":1}` }]
    }),
  )
const ends: fc.Arbitrary<ModelEvent[]> = fc.array(
  fc.record({
    type: fc.constant('finish' as const),
    reason: fc.constantFrom('tool_calls', 'length', 'content_filter'),
    choice,
  }),
)
const start = fc.record({ type: fc.constant('start' as const), id: word, model: word, created: fc.nat() })
const stream: fc.Arbitrary<ModelEvent[]> = fc
  .tuple(start, fc.array(said), calls, ends, fc.option(usage))
  .map(([first, middle, called, ended, counted]) => [
    first,
    ...middle,
    ...called,
    ...ended,
    ...(counted ? [{ type: 'usage' as const, usage: counted }] : []),
    { type: 'end' as const },
  ])

describe('streams', () => {
  it('read back what they write', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const write = openaiChat.writer(head)
        const read = openaiChat.reader()
        const parser = createFrameParser()
        const frames = events.flatMap(write).flatMap((frame) => parser.push(encodeFrame(frame)))
        expect(frames.flatMap(read)).toEqual(events)
      }),
    )
  })

  it('show usage only to those who asked', () => {
    const write = openaiChat.writer({ ...head, include_usage: false })
    const counted: Usage = {
      input: 1,
      cache_read: 0,
      cache_write: 0,
      cache_write_1h: 0,
      output: 1,
      reasoning: 0,
      source: 'reported',
    }
    expect(write({ type: 'usage', usage: counted })).toEqual([])
  })

  it('carry a failure in the words the caller may read', () => {
    const failure = {
      status: 502,
      message: 'broke off',
      type: 'upstream_error',
      code: 'bad',
      param: null,
      source: 'gateway' as const,
    }
    const [frame] = openaiChat.writer(head)({ type: 'failure', failure })
    expect(frame).toEqual(openaiChat.writeErrorFrame(failure))
    expect(openaiChat.reader()(frame!)).toEqual([{ type: 'failure', failure: { ...failure, source: 'upstream' } }])
  })

  it('number tool calls that came without an index', () => {
    const call = (id: string) => ({ id, function: { name: 'f', arguments: '{}' } })
    const events = openaiChat.reader()({
      data: JSON.stringify({ choices: [{ delta: { tool_calls: [call('a'), call('b')] } }] }),
    })
    expect(events.map((event) => event.type === 'tool_call' && event.index)).toEqual([false, 0, 1])
  })

  it('refuse what is no JSON', () => {
    expect(() => openaiChat.reader()({ data: 'oops' })).toThrow(
      expect.objectContaining({ code: 'upstream.unreadable' }),
    )
  })
})

describe('whole answers', () => {
  /** What a whole answer can keep of a stream: one text of each kind for each choice, in a fixed order. */
  const merged = (events: ModelEvent[]) => {
    const read = openaiChat.readWholeReply(openaiChat.writeWholeReply(events))
    return { read, again: openaiChat.readWholeReply(openaiChat.writeWholeReply(read)) }
  }

  it('keep the words, calls and counts of a stream', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const { read, again } = merged(events)
        expect(again).toEqual(read)
        const words = (list: ModelEvent[], type: string, index: number) =>
          list
            .map((event) => (event.type === type && 'text' in event && event.choice === index ? event.text : ''))
            .join('')
        for (const type of ['text', 'refusal', 'reasoning']) {
          for (const index of [0, 1, 2, 3]) expect(words(read, type, index)).toBe(words(events, type, index))
        }
        const only = (list: ModelEvent[], type: string) => list.filter((event) => event.type === type)
        const proofs = (list: ModelEvent[]) =>
          list.flatMap((event) => (event.type === 'tool_call' && event.signature ? [event.signature] : [])).sort()
        expect(proofs(read)).toEqual(proofs(events))
        expect(only(read, 'usage')).toEqual(only(events, 'usage'))
        expect(only(read, 'start')).toEqual(only(events, 'start'))
        const written = openaiChat.writeWholeReply(events)
        expect(openaiChat.readAnswerReport(written).usage).toEqual(
          only(events, 'usage').map((event) => event.type === 'usage' && event.usage)[0],
        )
        expect(openaiChat.estimateOutputTokens(written)).toBeGreaterThanOrEqual(0)
        expect(openaiChat.readAnswerReport(written).failure).toBeUndefined()
      }),
    )
  })

  it('estimate their output with a surcharge for tool calls', () => {
    const answer = (message: object) => openaiChat.estimateOutputTokens(bytes({ choices: [{ message }] }))
    expect(answer({ content: 'x'.repeat(400) })).toBe(100)
    expect(answer({ content: null, tool_calls: [{ function: { name: 'abcd', arguments: '{}  ' } }] })).toBe(9)
    expect(openaiChat.estimateOutputTokens(bytes('no json'))).toBe(0)
  })

  it('take content in parts and as an object', () => {
    const read = (content: unknown) =>
      openaiChat.readWholeReply(bytes({ choices: [{ message: { content } }] })).slice(1, -1)
    expect(
      read([
        { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
        { type: 'text', text: 'yes' },
      ]),
    ).toEqual([
      { type: 'reasoning', text: 'hm', choice: 0 },
      { type: 'text', text: 'yes', choice: 0 },
    ])
    expect(read({ a: 1 })).toEqual([{ type: 'text', text: '{"a":1}', choice: 0 }])
  })
})

describe('recorded whole answers', () => {
  const whole = recordingsOf('openai.chat').filter((one) => one.response.body !== undefined)

  it('are read and written again', async () => {
    const failures = await listFailures(
      whole.filter((one) => one.response.status === 200),
      ({ provider, id }) => `${provider} ${id}`,
      (recording) => {
        const body = bytesOf(recording)
        const answer = recording.response.body as Json
        const disguised = openaiChat.readAnswerReport(body).failure
        expect(Boolean(disguised)).toBe(answer.error !== undefined)
        if (disguised) {
          expect(disguised.status).toBeGreaterThanOrEqual(400)
          return
        }
        const reported = answer.usage
        const counted = openaiChat.readAnswerReport(body).usage
        if (reported?.prompt_tokens) {
          // One recorded answer tells more cached tokens than the prompt has.
          expect(counted!.input + counted!.cache_read + counted!.cache_write + counted!.cache_write_1h).toBe(
            Math.max(reported.prompt_tokens, reported.prompt_tokens_details?.cached_tokens ?? 0),
          )
          expect(counted!.output).toBe(
            Math.max(reported.completion_tokens, (reported.total_tokens ?? 0) - reported.prompt_tokens),
          )
        } else expect(counted).toBeUndefined()
        const events = openaiChat.readWholeReply(body)
        for (const [index, choice] of answer.choices.entries()) {
          const said = events
            .map((event) => (event.type === 'text' && event.choice === index ? event.text : ''))
            .join('')
          if (typeof choice.message?.content === 'string' && choice.message.content)
            expect(said).toBe(choice.message.content)
          const calls = events.filter((event) => event.type === 'tool_call' && event.choice === index)
          expect(calls).toHaveLength(
            choice.message?.tool_calls?.length ?? (choice.message?.function_call?.name ? 1 : 0),
          )
        }
        expect(openaiChat.readWholeReply(openaiChat.writeWholeReply(events))).toEqual(
          openaiChat.readWholeReply(
            openaiChat.writeWholeReply(openaiChat.readWholeReply(openaiChat.writeWholeReply(events))),
          ),
        )
      },
    )
    expect(failures).toEqual([])
  })

  it('are failures where their status says so', async () => {
    const failures = await listFailures(
      whole.filter((one) => one.response.status >= 400),
      ({ provider, id }) => `${provider} ${id}`,
      (recording) => {
        const failure = openaiChat.readErrorReply(recording.response.status, bytesOf(recording))
        const error = (recording.response.body as Json).error
        expect(failure).toMatchObject({ status: recording.response.status, source: 'upstream' })
        expect(failure.message).not.toMatch(/https?:\/\//)
        expect(failure.message.length).toBeGreaterThan(10)
        if (typeof error === 'object') expect(failure.code).toBe(error.code ?? null)
      },
    )
    expect(failures).toEqual([])
  })
})
