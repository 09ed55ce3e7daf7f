// Anthropic's answers as events, both ways: streams, whole answers, and what passes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropicMessages } from '../../../core/dialects/anthropic-messages/index.ts'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import type { StreamFinding } from '../../../core/dialects/answers/stream-watcher.ts'
import type { RequestHead } from '../../../core/dialects/requests/head.ts'
import type { ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import { createFrameParser, encodeFrame } from '../../../core/dialects/answers/frames.ts'
import { recordingsOf } from '../../support/at-hand.ts'
import { listFailures } from '../../support/list-failures.ts'
import { bytesOf, cutAt } from '../../support/recordings.ts'
import type { Json } from '../../support/json.ts'

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const text = (runs: Uint8Array[]) => runs.map((run) => new TextDecoder().decode(run)).join('')
const head: RequestHead = { model: 'm', stream: true, include_usage: true, prompt_estimate: 7 }

const word = fc.string({ minLength: 1, unit: 'grapheme' })
const count = fc.nat(1_000_000)
const usage: fc.Arbitrary<Usage> = fc
  .record({
    input: fc.integer({ min: 1, max: 1e6 }),
    cache_read: count,
    cache_write: count,
    cache_write_1h: count,
    output: fc.integer({ min: 1, max: 1e6 }),
    searches: fc.nat(3),
  })
  .chain(({ searches, ...one }) =>
    fc.nat(one.output).map((reasoning) => ({
      ...one,
      reasoning,
      ...(searches > 0 ? { calls: { web_search: searches } } : {}),
      source: 'reported' as const,
    })),
  )
const choice = 0
/** Runs of events that belong together: a thought ends with its proof, a call with its last argument. */
const block = fc.oneof(
  fc.array(word, { minLength: 1 }).map((words) => words.map((said) => ({ type: 'text' as const, text: said, choice }))),
  fc
    .tuple(fc.array(word, { minLength: 1 }), word)
    .map(([words, signature]) => [
      ...words.map((said) => ({ type: 'reasoning' as const, text: said, choice })),
      { type: 'reasoning' as const, text: '', choice, signature },
    ]),
  word.map((data) => [{ type: 'reasoning' as const, text: data, choice, redacted: true }]),
  fc.record({ id: word, name: word, parts: fc.array(word, { minLength: 1 }) }),
  fc.record({ url: fc.webUrl(), title: word }).map((source) => [
    { type: 'text' as const, text: 'x', choice },
    { type: 'citation' as const, choice, ...source },
  ]),
)
const stream: fc.Arbitrary<ModelEvent[]> = fc
  .tuple(
    word,
    word,
    fc.array(block, { minLength: 1 }),
    usage,
    fc.constantFrom('stop', 'length', 'content_filter'),
    word,
  )
  .map(([id, model, blocks, counted, reason, mark]) => {
    let calls = 0
    const said = blocks.flatMap((one): ModelEvent[] => {
      if (Array.isArray(one)) return one
      const index = calls++
      const begin = { type: 'tool_call' as const, index, choice, id: one.id, name: one.name, arguments: '' }
      return [begin, ...one.parts.map((more) => ({ type: 'tool_call' as const, index, choice, arguments: more }))]
    })
    const why = reason === 'stop' && calls > 0 ? 'tool_calls' : (reason as 'stop')
    const stopped = reason === 'stop' && calls === 0 && mark.length > 3 ? { stop_sequence: mark } : {}
    return [
      { type: 'start', id, model, created: 0 },
      ...said,
      { type: 'finish', reason: why, choice, ...stopped },
      { type: 'usage', usage: counted },
      { type: 'end' },
    ]
  })

/** Without the rough count of the prompt that opens a stream. */
const withoutFirstCount = (events: ModelEvent[]) => events.filter(({ type }, index) => type !== 'usage' || index > 1)

/** The format always names a tier. */
const tiered = (event: ModelEvent): ModelEvent =>
  event.type === 'usage' ? { ...event, usage: { service_tier: 'standard', ...event.usage } } : event

/** Sources are of their block, which ends with the words before them. */
function withoutPlaces(events: ModelEvent[]): ModelEvent[] {
  let letters = 0
  return events.map((event) => {
    if (event.type === 'text') letters += event.text.length
    if (event.type !== 'citation') return event
    const { at, ...source } = event
    expect(at?.end).toBe(letters)
    expect(at?.start).toBeLessThan(letters)
    return source
  })
}

/** The sources of a block are told when it ends. */
function sourcesLast(events: readonly ModelEvent[]): ModelEvent[] {
  const told: ModelEvent[] = []
  const sources: ModelEvent[] = []
  for (const event of events) {
    if (event.type === 'citation') sources.push(event)
    else {
      if (event.type !== 'text') told.push(...sources.splice(0))
      told.push(event)
    }
  }
  return [...told, ...sources]
}

describe('streams of Claude', () => {
  it('read back what they write', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const write = anthropicMessages.writer(head)
        const read = anthropicMessages.reader()
        const parser = createFrameParser()
        const frames = events.flatMap(write).flatMap((frame) => parser.push(encodeFrame(frame)))
        expect(withoutPlaces(withoutFirstCount(frames.flatMap(read)))).toEqual(sourcesLast(events.map(tiered)))
      }),
    )
  })

  it('number their blocks, and have one open at a time', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const write = anthropicMessages.writer(head)
        const payloads: Json[] = events.flatMap(write).map(({ event, data }) => {
          expect(JSON.parse(data).type).toBe(event)
          return JSON.parse(data)
        })
        expect(payloads[0].type).toBe('message_start')
        expect(payloads.slice(-2).map(({ type }) => type)).toEqual(['message_delta', 'message_stop'])
        let open = -1
        let next = 0
        for (const { type, index } of payloads.slice(1, -2)) {
          if (type === 'content_block_start') {
            expect([open, index]).toEqual([-1, next++])
            open = index
          } else expect(index).toBe(open)
          if (type === 'content_block_stop') open = -1
        }
        expect(open).toBe(-1)
      }),
    )
  })

  it('say tool_use where a provider calls it a plain stop', () => {
    const write = anthropicMessages.writer(head)
    write({ type: 'tool_call', index: 0, choice, id: 'a', name: 'f', arguments: '{}' })
    write({ type: 'finish', reason: 'stop', choice })
    const [, delta] = write({ type: 'end' })
    expect(JSON.parse(delta!.data)).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } })
  })

  it('spell a call without arguments as an empty object', () => {
    const read = anthropicMessages.reader()
    const events = [
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'f', input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '' } },
      { type: 'content_block_stop', index: 0 },
    ].flatMap((payload) => read({ data: JSON.stringify(payload) }))
    expect(events.map((event) => event.type === 'tool_call' && event.arguments)).toEqual(['', '{}'])
  })

  it('carry a failure with its type, and know its status by it', () => {
    const failure = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const [read] = anthropicMessages.reader()({ event: 'error', data: JSON.stringify(failure) })
    expect(read).toMatchObject({ failure: { status: 529, type: 'overloaded_error', message: 'Overloaded' } })
    if (read?.type !== 'failure') throw new Error('no failure')
    expect(JSON.parse(anthropicMessages.writer(head)(read)[0]!.data)).toEqual(failure)
  })

  it('refuse what is no JSON', () => {
    expect(() => anthropicMessages.reader()({ data: 'oops' })).toThrow(
      expect.objectContaining({ code: 'upstream.unreadable' }),
    )
  })
})

describe('whole answers of Claude', () => {
  it('say what their stream says', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const read = anthropicMessages.readWholeReply(anthropicMessages.writeWholeReply(events))
        expect(anthropicMessages.readWholeReply(anthropicMessages.writeWholeReply(read))).toEqual(read)
        const said = (some: ModelEvent[], type: string) =>
          some.map((event) => (event.type === type && 'text' in event ? event.text : '')).join('')
        expect(said(read, 'text')).toBe(said(events, 'text'))
        expect(said(read, 'reasoning')).toBe(said(events, 'reasoning'))
        expect(read.slice(-3)).toEqual(events.slice(-3).map(tiered))
      }),
    )
  })

  it('name a source once that came before its text, however many blocks follow', () => {
    const source = { url: 'https://a.example', title: 'A' }
    const said = (text: string): ModelEvent => ({ type: 'text', text, choice })
    const call: ModelEvent = { type: 'tool_call', index: 0, choice, id: 'c', name: 'f', arguments: '{}' }
    const body = anthropicMessages.writeWholeReply([
      { type: 'citation', choice, ...source },
      ...[said('One.'), call, said('Two.'), { type: 'reasoning' as const, text: 'Hm', choice }, said('Three.')],
    ])
    const { content } = JSON.parse(text([body])) as Json
    expect(content.map(({ type, citations = [] }: Json) => [type, citations.map(({ url }: Json) => url)])).toEqual([
      ['text', [source.url]],
      ['tool_use', []],
      ['text', []],
      ['thinking', []],
      ['text', []],
    ])
  })

  it.each([
    ['an error of status 200', { type: 'error', error: { type: 'api_error', message: 'no' } }, 500],
    ['another format', { choices: [] }, 502],
    ['no JSON', 'oops', 502],
  ])('%s is an error', (_, body, status) => {
    expect(anthropicMessages.readAnswerReport(bytes(body)).failure).toMatchObject({ status })
  })
})

describe('usage of Claude', () => {
  const read = (value: object) => anthropicMessages.readAnswerReport(bytes({ usage: value })).usage

  it('tells the two lifetimes of the cache apart', () => {
    const cache_creation = { ephemeral_5m_input_tokens: 30, ephemeral_1h_input_tokens: 12 }
    const counted = { input_tokens: 1, cache_creation_input_tokens: 42, cache_read_input_tokens: 5, output_tokens: 9 }
    expect(read({ ...counted, cache_creation })).toMatchObject({ input: 1, cache_read: 5, output: 9 })
    expect(read({ ...counted, cache_creation })).toMatchObject({ cache_write: 30, cache_write_1h: 12 })
    expect(read(counted)).toMatchObject({ cache_write: 42, cache_write_1h: 0 })
  })

  it('counts searches, thoughts and every turn of one answer', () => {
    const iterations = [
      { input_tokens: 100, output_tokens: 83, cache_read_input_tokens: 55_096 },
      { input_tokens: 181, output_tokens: 8 },
    ]
    expect(read({ input_tokens: 181, output_tokens: 8, iterations })).toMatchObject({
      input: 281,
      cache_read: 55_096,
      output: 91,
    })
    const server_tool_use = { web_search_requests: 2, web_fetch_requests: 0 }
    const used = read({
      input_tokens: 1,
      output_tokens: 9,
      server_tool_use,
      output_tokens_details: { thinking_tokens: 4 },
    })
    expect(used).toMatchObject({ calls: { web_search: 2 }, reasoning: 4 })
  })

  it('is none where nothing is counted', () => {
    expect(read({ input_tokens: 0, output_tokens: 0 })).toBeUndefined()
    expect(anthropicMessages.readAnswerReport(bytes('oops')).usage).toBeUndefined()
  })
})

describe('recorded streams of Claude that pass', () => {
  const streams = recordingsOf('anthropic.messages').filter(({ response }) => response.sse)

  function watch(runs: Uint8Array[]) {
    const watcher = anthropicMessages.watcher(head)
    const seen: StreamFinding[] = [...runs.map((run) => watcher.look(run)), watcher.close()]
    const end = seen.find((one) => one.end)?.end
    return {
      all: text([...seen.flatMap(({ pass }) => pass), ...(end ? [end] : [])]),
      usage: seen.findLast((one) => one.usage)?.usage,
      watcher,
    }
  }

  it('come as they were, in whatever runs', async () => {
    const failures = await listFailures(
      streams,
      ({ id }) => id,
      (recording) => {
        const whole = bytesOf(recording)
        const stop = text([whole]).indexOf('\n\n', text([whole]).indexOf('"message_stop"')) + 2
        const expected = text([whole]).slice(0, stop)
        const once = watch([whole])
        expect(once.all).toBe(expected)
        expect(once.usage?.output).toBeGreaterThan(0)
        fc.assert(
          fc.property(fc.array(fc.nat(whole.length), { maxLength: 20 }), (places) => {
            const cut = watch(cutAt(whole, places))
            expect(cut.all).toBe(expected)
            expect(cut.usage).toEqual(once.usage)
            expect(cut.watcher.finished()).toBe(true)
          }),
          { numRuns: 10 },
        )
      },
    )
    expect(failures).toEqual([])
  })

  it('know their content by the first piece of it, and no opening for content', () => {
    const watcher = anthropicMessages.watcher(head)
    const opening = [
      { type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'ping' },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    ]
    const seen = opening.map(
      (payload) => watcher.look(bytes(`event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`)).content,
    )
    expect(seen).toEqual([false, false, false, true])
  })
})
