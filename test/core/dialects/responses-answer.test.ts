// Responses answers as events, both ways: streams and whole answers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildKnownUsage } from '../../../core/dialects/passing.ts'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import type { RequestHead } from '../../../core/dialects/requests/head.ts'
import type { ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import { createFrameParser, encodeFrame } from '../../../core/dialects/answers/frames.ts'
import { openaiResponses } from '../../../core/dialects/openai-responses/index.ts'
import type { Json } from '../../support/json.ts'
import { reading } from '../../support/reading.ts'

const head: RequestHead = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }
const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const choice = 0

const word = fc.string({ minLength: 1, unit: 'grapheme' })
const proof = fc.base64String({ minLength: 4 }).filter((text) => text !== '')
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
const call = fc.record({
  type: fc.constant('tool_call' as const),
  index: fc.nat(2),
  choice: fc.constant(choice),
  arguments: word,
})
const said: fc.Arbitrary<ModelEvent> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: word, choice: fc.constant(choice) }),
  fc.record({ type: fc.constant('refusal' as const), text: word, choice: fc.constant(choice) }),
  fc.record(
    { type: fc.constant('reasoning' as const), text: word, choice: fc.constant(choice), signature: proof },
    { requiredKeys: ['type', 'text', 'choice'] },
  ),
  fc.record({
    type: fc.constant('reasoning' as const),
    text: proof,
    choice: fc.constant(choice),
    redacted: fc.constant(true),
  }),
  fc.record({
    type: fc.constant('image' as const),
    url: proof.map((data) => `data:image/webp;base64,${data}`),
    choice: fc.constant(choice),
  }),
  call,
)
/** A source, behind the text that it is of. */
const cited: fc.Arbitrary<ModelEvent[]> = fc.record({ url: fc.webUrl(), title: word }).map((source) => [
  { type: 'text', text: 'x', choice },
  { type: 'citation', choice, ...source },
])
const start = fc.record({ type: fc.constant('start' as const), id: word, model: word, created: fc.nat() })
const reason = fc.constantFrom('stop' as const, 'length' as const, 'content_filter' as const)

/** Calls get ids and names where they begin, and numbers in their order: as every reader gives them. */
function withCalls(events: ModelEvent[]): ModelEvent[] {
  const known = new Map<number, number>()
  return events.map((event) => {
    if (event.type !== 'tool_call') {
      known.clear()
      return event
    }
    const index = known.get(event.index)
    if (index !== undefined) return { ...event, index }
    const fresh = next++
    known.set(event.index, fresh)
    return { ...event, index: fresh, id: `call ${fresh}`, name: `f${fresh}` }
  })
}
let next = 0

const stream: fc.Arbitrary<ModelEvent[]> = fc
  .tuple(start, fc.array(fc.oneof(said, cited)), reason, fc.option(usage))
  .map(([first, middle, ended, counted]) => {
    next = 0
    const calls = withCalls(middle.flat())
    // A picture is paid by the piece, and so is a report in itself.
    const reported = counted ?? (calls.some(({ type }) => type === 'image') ? buildKnownUsage({}) : null)
    return [
      first,
      ...calls,
      { type: 'finish' as const, reason: next > 0 && ended === 'stop' ? ('tool_calls' as const) : ended, choice },
      ...(reported ? [{ type: 'usage' as const, usage: reported }] : []),
      { type: 'end' as const },
    ]
  })

/** A picture is a call of a tool, which its item tells: so it is counted where nobody counted it. */
const withoutCalls = (counted: Usage): Usage => ({ ...counted, calls: undefined })

/** The format names a tier always: the plain one where none was told. */
const withTier = (counted: Usage): Usage => ({ service_tier: 'default', ...counted })

/** Pieces of the same thing joined, as far as a stream of items keeps them apart. */
function joined(events: ModelEvent[]): ModelEvent[] {
  const whole: ModelEvent[] = []
  for (const event of events) {
    const last = whole.at(-1)
    const same = last?.type === event.type
    if (same && event.type === 'tool_call' && last.type === 'tool_call') {
      const own = whole.findLast((one) => one.type === 'tool_call' && one.index === event.index)
      if (own?.type === 'tool_call') {
        own.arguments += event.arguments
        continue
      }
    } else if (same && (event.type === 'text' || event.type === 'refusal') && 'text' in last) {
      last.text += event.text
      continue
    } else if (
      same &&
      event.type === 'reasoning' &&
      last.type === 'reasoning' &&
      !last.signature &&
      !last.redacted &&
      !event.redacted
    ) {
      last.text += event.text
      if (event.signature) last.signature = event.signature
      continue
    }
    whole.push(event.type === 'usage' ? { ...event, usage: withTier(withoutCalls(event.usage)) } : { ...event })
  }
  return whole
}

const framesOf = (events: ModelEvent[]) => {
  const write = openaiResponses.writer(head)
  return events.flatMap(write)
}
const readStream = (text: string) => {
  const parser = createFrameParser()
  return [...parser.push(bytes(text)), ...parser.end()].flatMap(openaiResponses.reader())
}

describe('Responses streams', () => {
  it('read back what they write', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const text = framesOf(events)
          .map((frame) => Buffer.from(encodeFrame(frame)).toString())
          .join('')
        expect(joined(readStream(text))).toEqual(joined(events))
      }),
    )
  })

  it('are well formed: numbered, each item opened once and closed once, the whole at the end', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const said: Json[] = framesOf(events).map(({ data }) => JSON.parse(data))
        expect(said.map(({ sequence_number }) => sequence_number)).toEqual([...said.keys()])
        expect(said.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress'])
        const items = (type: string) => said.filter((one) => one.type === `response.output_item.${type}`)
        const places = (list: Json[]) => list.map(({ output_index }) => output_index).sort((a, b) => a - b)
        expect(places(items('added'))).toEqual([...items('added').keys()])
        expect(places(items('done'))).toEqual(places(items('added')))
        const last = said.at(-1)!
        expect(last.type).toMatch(/^response\.(completed|incomplete)$/)
        for (const { output_index, item } of items('done')) expect(last.response.output[output_index]).toEqual(item)
        for (const { output_index, content_index, text } of said.filter(
          (one) => one.type === 'response.output_text.done',
        )) {
          const own = said.filter(
            (one) =>
              one.type === 'response.output_text.delta' &&
              one.output_index === output_index &&
              one.content_index === content_index,
          )
          expect(own.map(({ delta }) => delta).join('')).toBe(text)
          expect(last.response.output[output_index].content[content_index].text).toBe(text)
        }
      }),
    )
  })

  it('carry a failure where clients look for it', () => {
    const failure = {
      status: 502,
      message: 'broke off',
      type: 'upstream_error',
      code: 'bad',
      param: null,
      source: 'gateway' as const,
    }
    const write = openaiResponses.writer(head)
    write({ type: 'start', id: 'r', model: 'm', created: 5 })
    write({ type: 'text', text: 'Hel', choice })
    const [frame, last] = write({ type: 'failure', failure })
    const alone = JSON.parse(openaiResponses.writeErrorFrame(failure).data)
    expect(JSON.parse(frame!.data)).toEqual({ ...alone, sequence_number: 5 })
    expect(alone).toMatchObject({ type: 'error', message: 'broke off', error: { message: 'broke off' } })
    expect(JSON.parse(last!.data)).toMatchObject({
      type: 'response.failed',
      sequence_number: 6,
      response: {
        status: 'failed',
        error: { code: 'server_error', message: 'broke off' },
        output: [{ type: 'message', status: 'incomplete', content: [{ type: 'output_text', text: 'Hel' }] }],
      },
    })
    expect(openaiResponses.reader()(frame!)).toEqual([{ type: 'failure', failure: { ...failure, source: 'upstream' } }])
  })

  it('repeat what the request said, without what is not kept', () => {
    const write = openaiResponses.writer({ ...head, repeated: { instructions: 'Be brief.', temperature: 0.5 } })
    const [created] = write({ type: 'start', id: 'r', model: 'm2', created: 5 })
    expect(JSON.parse(created!.data).response).toMatchObject({
      id: 'r',
      model: 'm2',
      instructions: 'Be brief.',
      temperature: 0.5,
      store: false,
      status: 'in_progress',
    })
  })

  it('refuse what is no JSON', () => {
    expect(() => openaiResponses.reader()({ data: 'oops' })).toThrow(
      expect.objectContaining({ code: 'upstream.unreadable' }),
    )
  })
})

describe('whole Responses', () => {
  it('keep what a stream says', () => {
    fc.assert(
      fc.property(stream, (events) => {
        const written = openaiResponses.writeWholeReply(events, head)
        const read = openaiResponses.readWholeReply(written)
        // Sources lie beside the text here, not between its pieces.
        expect(reading(read)).toEqual(reading(events))
        expect(joined(read).slice(-2)).toEqual(joined(events).slice(-2))
        const counted = events.find((event) => event.type === 'usage')
        const again = openaiResponses.readAnswerReport(written).usage
        expect(again && withoutCalls(again)).toEqual(counted?.type === 'usage' ? withTier(counted.usage) : undefined)
        expect(openaiResponses.readAnswerReport(written).failure).toBeUndefined()
        expect(openaiResponses.estimateOutputTokens(written)).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('that failed are errors', () => {
    const failed = {
      id: 'r',
      status: 'failed',
      output: [],
      error: { code: 'rate_limit_exceeded', message: 'slow down' },
    }
    expect(openaiResponses.readAnswerReport(bytes(failed)).failure).toMatchObject({ status: 429, message: 'slow down' })
    expect(openaiResponses.readAnswerReport(bytes({ ...failed, error: null })).failure).toMatchObject({ status: 502 })
    expect(openaiResponses.readAnswerReport(bytes('<html>')).failure).toMatchObject({ code: 'bad_response_body' })
  })

  it('count the calls of built-in tools that are paid', () => {
    const search = (type?: string) => ({ type: 'web_search_call', ...(type ? { action: { type } } : {}) })
    const counted = (tools: object[], output: object[]) =>
      openaiResponses.readAnswerReport(bytes({ usage: { input_tokens: 1, output_tokens: 1 }, tools, output })).usage
        ?.calls
    expect(counted([{ type: 'web_search' }], [search('search'), search('open_page'), search()])).toEqual({
      web_search: 2,
    })
    expect(counted([{ type: 'web_search_preview' }], [search('search')])).toEqual({ web_search_preview: 1 })
    expect(counted([], [{ type: 'file_search_call' }, { type: 'image_generation_call' }])).toEqual({
      file_search: 1,
      image_generation: 1,
    })
    expect(counted([], [{ type: 'message', content: [] }])).toBeUndefined()
  })
})
