// Completions, both ways: requests, streams, whole answers, and what recorded providers sent.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../../core/dialects/model-request.ts'
import type { RequestHead } from '../../../core/dialects/requests/head.ts'
import type { ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import { createFrameParser, encodeFrame } from '../../../core/dialects/answers/frames.ts'
import { openaiCompletions } from '../../../core/dialects/openai-completions.ts'
import type { Json } from '../../support/json.ts'
import { reading } from '../../support/reading.ts'
import { recordingsOf } from '../../support/at-hand.ts'
import { bytesOf } from '../../support/recordings.ts'

const head: RequestHead = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const word = fc.string({ minLength: 1, unit: 'grapheme' })
const choice = fc.nat(2)

describe('requests', () => {
  const request: fc.Arbitrary<ModelRequest> = fc.record(
    {
      dialect: fc.constant('openai-completions'),
      model: word.filter((name) => name.trim() !== ''),
      stream: fc.boolean(),
      messages: word.map((text) => [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }]),
      max_tokens: fc.nat(1_000_000),
      temperature: fc.constantFrom(0, 0.5, 1),
      top_p: fc.constantFrom(0.1, 1),
      seed: fc.nat(),
      presence_penalty: fc.constantFrom(0, 1),
      frequency_penalty: fc.constantFrom(0, 1),
      n: fc.integer({ min: 1, max: 4 }),
      user: word,
      stop: fc.array(word, { minLength: 1 }),
      extra: fc.constantFrom({}, { suffix: '!', echo: true, best_of: 2, logprobs: 3 }),
    },
    { requiredKeys: ['dialect', 'model', 'stream', 'messages', 'extra'] },
  )

  it('read back what they write', () => {
    fc.assert(
      fc.property(request, (one) => {
        const { body, dropped } = openaiCompletions.writeModelRequest(one)
        expect(openaiCompletions.readModelRequest(body)).toEqual(one)
        expect(dropped).toEqual([])
      }),
    )
  })

  it('name what a prompt cannot say', () => {
    const { body, dropped } = openaiCompletions.writeModelRequest({
      dialect: 'other',
      model: 'm',
      stream: false,
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hello' },
            { type: 'image', url: 'x' },
          ],
        },
      ],
      tools: [],
      extra: { logit_bias: {} },
    })
    expect(JSON.parse(new TextDecoder().decode(body)).prompt).toBe('Be brief.\n\nHello')
    expect(dropped).toEqual(['tools', 'logit_bias', 'messages.image'])
  })

  it('tell what a call needs, of every kind of prompt', () => {
    const read = (prompt: unknown) => openaiCompletions.readRequestHead(bytes({ model: 'm', prompt, max_tokens: 5 }))
    expect(read('x'.repeat(400))).toMatchObject({ prompt_estimate: 100, max_tokens: 5, stream: false })
    expect(read([1, 2, 3]).prompt_estimate).toBe(3)
    expect(read([[1, 2], [3]]).prompt_estimate).toBe(3)
    expect(read(['x'.repeat(40), 'y'.repeat(40)]).prompt_estimate).toBe(20)
    expect(read('x'.repeat(8000)).prefix).toEqual(expect.any(Number))
  })

  it.each([
    [{}, 'request.invalid'],
    [{ prompt: 5 }, 'request.invalid'],
    [{ prompt: 'x', model: ' ' }, 'request.no_model'],
    [{ prompt: 'x', stream: 1 }, 'request.invalid'],
    [{ prompt: 'x', max_tokens: 1.5 }, 'request.invalid'],
  ])('refuse %j', (more, code) => {
    expect(() => openaiCompletions.readRequestHead(bytes({ model: 'm', ...more }))).toThrow(
      expect.objectContaining({ code }),
    )
  })

  it.each([{ prompt: ['a', 'b'] }, { prompt: [1, 2] }, { prompt: [[1]] }])('refuse to translate %j', (more) => {
    expect(() => openaiCompletions.readModelRequest(bytes({ model: 'm', ...more }))).toThrow(
      expect.objectContaining({ code: 'request.untranslatable' }),
    )
  })
})

describe('answers', () => {
  const said: fc.Arbitrary<ModelEvent> = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: word, choice }),
    fc.record({
      type: fc.constant('finish' as const),
      reason: fc.constantFrom('stop' as const, 'length' as const, 'content_filter' as const),
      choice,
    }),
  )
  const start = fc.record({ type: fc.constant('start' as const), id: word, model: word, created: fc.nat() })

  it('read back what their streams say', () => {
    fc.assert(
      fc.property(start, fc.array(said, { minLength: 1 }), (first, middle) => {
        const events: ModelEvent[] = [first, ...middle, { type: 'end' }]
        const parser = createFrameParser()
        const write = openaiCompletions.writer(head)
        const frames = events.flatMap(write).flatMap((frame) => parser.push(encodeFrame(frame)))
        expect(frames.flatMap(openaiCompletions.reader())).toEqual(events)
      }),
    )
  })

  it('keep whole what their streams say', () => {
    fc.assert(
      fc.property(start, fc.array(said), (first, middle) => {
        const written = openaiCompletions.writeWholeReply([first, ...middle])
        const read = openaiCompletions.readWholeReply(written)
        for (const index of [0, 1, 2]) {
          const text = (events: ModelEvent[]) =>
            events.map((one) => (one.type === 'text' && one.choice === index ? one.text : '')).join('')
          expect(text(read)).toBe(text(middle))
        }
        expect(openaiCompletions.readWholeReply(openaiCompletions.writeWholeReply(read))).toEqual(read)
      }),
    )
  })

  it('end with stop where a tool was called', () => {
    const [frame] = openaiCompletions.writer(head)({ type: 'finish', reason: 'tool_calls', choice: 0 })
    expect(JSON.parse(frame!.data).choices[0].finish_reason).toBe('stop')
  })
})

describe('recorded completions', () => {
  it.each(recordingsOf('openai.completions'))('$provider $id', (recording) => {
    const body = bytesOf(recording)
    const { sse } = recording.response
    const chunks: Json[] = sse
      ? sse.flatMap((event) => /^data: ?(\{.*)$/m.exec(event)?.[1] ?? []).map((data) => JSON.parse(data))
      : [recording.response.body]
    const parser = createFrameParser()
    const events = sse
      ? [...parser.push(body), ...parser.end()].flatMap(openaiCompletions.reader())
      : openaiCompletions.readWholeReply(body)
    const text = chunks.flatMap(({ choices }) => choices.map((one: Json) => one.text ?? '')).join('')
    expect(text).not.toBe('')
    expect(reading(events).text).toBe(text)
    const reported = chunks.findLast(({ usage }) => usage)?.usage
    const counted = events.find((event) => event.type === 'usage')
    expect(counted?.type === 'usage' && counted.usage.output).toBe(reported?.completion_tokens ?? false)
    if (!sse) return expect(openaiCompletions.estimateOutputTokens(body)).toBeGreaterThan(0)
    const watcher = openaiCompletions.watcher(head)
    const seen = [watcher.look(body), watcher.close()]
    expect(seen.some(({ content }) => content)).toBe(true)
    expect(seen.some(({ ended }) => ended)).toBe(true)
    expect(watcher.outputEstimate()).toBeGreaterThan(0)
  })
})
