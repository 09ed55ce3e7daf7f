// Gemini's answers, whole and streamed: what is written is read back, and recordings say what they say.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Usage } from '../../../core/dialects/answers/usage.ts'
import type { ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import { createFrameParser, encodeEventFrames } from '../../../core/dialects/answers/frames.ts'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'
import { recordingById } from '../../support/at-hand.ts'
import { bytesOf, recordingsHere, recordingsTitle } from '../../support/recordings.ts'

const head = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const reply = (value: unknown) => geminiGenerate.readWholeReply(bytes(value))
const candidate = (parts: unknown[], more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, ...more }],
})

function streamed(events: readonly ModelEvent[]): ModelEvent[] {
  const write = geminiGenerate.writer(head)
  const read = geminiGenerate.reader()
  const frames = createFrameParser()
  return events.flatMap((event) => frames.push(encodeEventFrames(write(event)))).flatMap(read)
}

const word = fc.string({ minLength: 1, maxLength: 10 })
const base64 = fc.uint8Array({ minLength: 1, maxLength: 6 }).map((data) => Buffer.from(data).toString('base64'))
const args = fc
  .dictionary(word, fc.oneof(word, fc.integer(), fc.constant(null)), { maxKeys: 2 })
  .map((value) => JSON.stringify(value))
const signed = fc.option(base64, { nil: undefined }).map((signature) => (signature ? { signature } : {}))
const said = fc.oneof(
  word.map((text) => ({ type: 'text' as const, text })),
  fc.tuple(word, signed).map(([text, more]) => ({ type: 'reasoning' as const, text, ...more })),
  base64.map((signature) => ({ type: 'reasoning' as const, text: '', signature })),
  base64.map((data) => ({ type: 'image' as const, url: `data:image/png;base64,${data}` })),
  fc.constantFrom('pcm16', 'wav').map((format) => ({ type: 'audio' as const, data: 'AAAA', format })),
  fc
    .record({ name: word, arguments: args, more: signed })
    .map(({ more, ...call }) => ({ type: 'tool_call' as const, ...call, ...more })),
)
const count = fc.nat(100_000)
const usage = fc
  .record({ input: count, cache_read: count, output: count, reasoning: count, audio: count, image: count })
  .filter(({ input, cache_read, output }) => input + cache_read + output > 0)
  .map(({ input, cache_read, output, reasoning, audio, image }): Usage => {
    const audio_in = Math.min(audio, input)
    const image_in = Math.min(image, input - audio_in)
    const thought = Math.min(reasoning, output)
    const audio_out = Math.min(audio, output - thought)
    return {
      input,
      cache_read,
      cache_write: 0,
      cache_write_1h: 0,
      output,
      reasoning: thought,
      ...(audio_in ? { audio_in } : {}),
      ...(image_in ? { image_in } : {}),
      ...(audio_out ? { audio_out } : {}),
      source: 'reported',
    }
  })
const answer = fc
  .tuple(
    fc.array(said, { maxLength: 6 }),
    fc.constantFrom<('stop' | 'length' | 'content_filter')[]>('stop', 'length', 'content_filter'),
    usage,
  )
  .map(([all, reason, counted]): ModelEvent[] => {
    let calls = 0
    const events = all.map((one): ModelEvent =>
      one.type === 'tool_call' ? { index: calls, choice: 0, id: `id_${calls++}`, ...one } : { choice: 0, ...one },
    )
    return [
      { type: 'start', id: 'an-id', model: 'a-model', created: 0 },
      ...events,
      { type: 'finish', reason: reason === 'stop' && calls > 0 ? 'tool_calls' : reason, choice: 0 },
      { type: 'usage', usage: counted },
      { type: 'end' },
    ]
  })

/**
 * A signature that comes behind a thought is the thought's; another one goes with the words or the call behind it, and with no
 * words where none follow.
 */
function settled(events: ModelEvent[]): ModelEvent[] {
  const all: ModelEvent[] = []
  let held: string | undefined
  const alone = (): void => {
    if (held !== undefined) all.push({ type: 'text', text: '', choice: 0, signature: held })
    held = undefined
  }
  for (const event of events) {
    const before = all.at(-1)
    if (event.type === 'reasoning' && event.text === '') {
      if (held === undefined && before?.type === 'reasoning' && !before.signature) before.signature = event.signature
      else {
        alone()
        held = event.signature
      }
    } else if (held !== undefined && (event.type === 'text' || event.type === 'tool_call') && !event.signature) {
      all.push({ ...event, signature: held })
      held = undefined
    } else {
      alone()
      all.push({ ...event })
    }
  }
  return all
}

/** Texts that come one behind the other, as one. */
const joined = (events: ModelEvent[]): ModelEvent[] =>
  events.reduce<ModelEvent[]>((all, event) => {
    const before = all.at(-1)
    if (event.type === 'text' && before?.type === 'text' && !(before.signature && event.signature)) {
      return [...all.slice(0, -1), { ...before, ...event, text: before.text + event.text }]
    }
    if (event.type === 'reasoning' && event.text !== '' && before?.type === 'reasoning' && !before.signature) {
      return [...all.slice(0, -1), { ...event, text: before.text + event.text }]
    }
    return [...all, event]
  }, [])

describe("Gemini's answers", () => {
  it('are read back from a stream as they were written, but for the end mark that there is not', () => {
    fc.assert(
      fc.property(answer, (events) => {
        const read = streamed(events)
        expect(read.filter(({ type }) => type !== 'start')).toEqual(settled(events.slice(1, -1)))
        expect(read[0]).toEqual(events[0])
      }),
    )
  })

  it('are read back whole as they were written', () => {
    fc.assert(
      fc.property(answer, (events) => {
        const body = geminiGenerate.writeWholeReply(events)
        expect(geminiGenerate.readWholeReply(body)).toEqual(joined(settled(events)))
        expect(geminiGenerate.readAnswerReport(body).usage).toEqual(
          events.findLast((event) => event.type === 'usage')?.usage,
        )
      }),
    )
  })

  it('give a call that came in pieces whole', () => {
    const piece = (text: string, more: object = {}): ModelEvent => ({
      type: 'tool_call',
      index: 0,
      choice: 0,
      arguments: text,
      ...more,
    })
    const events: ModelEvent[] = [
      piece('', { id: 'a', name: 'f' }),
      piece('{"x":'),
      piece('1}'),
      { type: 'tool_call', index: 1, choice: 0, id: 'b', name: 'g', arguments: '' },
    ]
    const read = streamed([...events, { type: 'finish', reason: 'tool_calls', choice: 0 }, { type: 'end' }])
    expect(read.filter(({ type }) => type !== 'start')).toEqual([
      piece('{"x":1}', { id: 'a', name: 'f' }),
      { type: 'tool_call', index: 1, choice: 0, id: 'b', name: 'g', arguments: '{}' },
      { type: 'finish', reason: 'tool_calls', choice: 0 },
    ])
  })

  it('say that a call was malformed, where its arguments are no object', () => {
    const call: ModelEvent = { type: 'tool_call', index: 0, choice: 0, name: 'f', arguments: '{"x":' }
    const body = geminiGenerate.writeWholeReply([call, { type: 'finish', reason: 'tool_calls', choice: 0 }])
    expect(JSON.parse(new TextDecoder().decode(body)).candidates[0]).toMatchObject({
      finishReason: 'MALFORMED_FUNCTION_CALL',
      content: { parts: [] },
    })
  })

  it('name their sources once', () => {
    const web = {
      groundingMetadata: {
        webSearchQueries: ['q'],
        groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }],
      },
    }
    const chunk = {
      ...candidate([{ text: 'x' }], web),
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
    }
    const read = geminiGenerate.reader()
    const events = [chunk, chunk].flatMap((one) => read({ data: JSON.stringify(one) }))
    expect(events.filter(({ type }) => type === 'citation')).toEqual([
      { type: 'citation', url: 'https://a.example', title: 'A', choice: 0 },
    ])
    expect(events.at(-1)).toMatchObject({ usage: { calls: { google_search: 1, google_search_prompt: 1 } } })
  })

  it('name the text that each source supports, which Google counts in bytes', () => {
    const text = 'Grüße aus Köln. Bis bald.'
    const web = (name: string) => ({ web: { uri: `https://${name}.example`, title: name } })
    const groundingMetadata = {
      groundingChunks: [web('a'), web('b'), web('c')],
      groundingSupports: [
        { segment: { endIndex: 18, text: 'Grüße aus Köln.' }, groundingChunkIndices: [0, 1] },
        { segment: { startIndex: 19, endIndex: 28 }, groundingChunkIndices: [1, 9] },
        // Without an end it is no particular text.
        { segment: { startIndex: 3 }, groundingChunkIndices: [0] },
        { segment: { startIndex: 0, endIndex: 3 } },
      ],
    }
    const cited = (name: string, at?: [number, number]) => ({
      ...{ type: 'citation', choice: 0, url: `https://${name}.example`, title: name },
      ...(at ? { at: { start: at[0], end: at[1] }, words: text.slice(...at) } : {}),
    })
    const citations = [cited('a', [0, 15]), cited('b', [0, 15]), cited('b', [16, 25]), cited('a'), cited('c')]
    const spelled = JSON.parse(
      JSON.stringify(groundingMetadata).replaceAll(/(?<=[a-z])[A-Z](?=\w*":)/g, (letter) => `_${letter.toLowerCase()}`),
    ) as object
    for (const more of [{ groundingMetadata }, { grounding_metadata: spelled }]) {
      const events = reply(candidate([{ text }], { ...more, finishReason: 'STOP' }))
      expect(events.filter(({ type }) => type === 'citation')).toEqual(citations)
    }
    const written = JSON.parse(
      new TextDecoder().decode(
        geminiGenerate.writeWholeReply([{ type: 'text', text, choice: 0 }, ...(citations as ModelEvent[])]),
      ),
    )
    expect(written.candidates[0].groundingMetadata).toEqual({
      groundingChunks: [web('a'), web('b'), web('c')],
      groundingSupports: [
        { segment: { startIndex: 0, endIndex: 18, text: 'Grüße aus Köln.' }, groundingChunkIndices: [0, 1] },
        { segment: { startIndex: 19, endIndex: 28, text: 'Bis bald.' }, groundingChunkIndices: [1] },
      ],
    })
  })

  it('have a candidate that ended, even if nothing was written', () => {
    const finish = { type: 'finish', reason: 'stop', choice: 0 } as const
    expect(reply(JSON.parse(new TextDecoder().decode(geminiGenerate.writeWholeReply([]))))).toContainEqual(finish)
    expect(streamed([{ type: 'start', id: 'an-id', model: 'm', created: 0 }, { type: 'end' }])).toContainEqual(finish)
  })

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['MALFORMED_FUNCTION_CALL', 'stop'],
    ['SOMETHING_NEW', 'stop'],
  ])('that end by %s end by %s', (finishReason, reason) => {
    const finish = reply(candidate([{ text: 'x' }], { finishReason })).find(({ type }) => type === 'finish')
    expect(finish).toMatchObject({ reason, choice: 0 })
  })

  it('are no answers where the prompt was blocked', () => {
    const [event] = reply({ promptFeedback: { blockReason: 'SAFETY' } })
    expect(event).toMatchObject({ type: 'failure', failure: { status: 400, code: 'prompt_blocked' } })
  })

  it('is estimated from what a whole answer says where it reports none', () => {
    const answer = (text: string) => bytes({ candidates: [{ content: { parts: [{ text }] } }] })
    expect(geminiGenerate.readAnswerReport(answer('x')).usage).toBeUndefined()
    expect(geminiGenerate.estimateOutputTokens(answer('x'.repeat(400)))).toBe(100)
    expect(geminiGenerate.estimateOutputTokens(bytes('no json'))).toBe(0)
  })

  it('count every token once', () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 40,
      toolUsePromptTokenCount: 7,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 30,
      totalTokenCount: 157,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 60 },
        { modality: 'AUDIO', tokenCount: 40 },
      ],
      cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 15 }],
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 12 }],
      serviceTier: 'flex',
    }
    expect(geminiGenerate.readAnswerReport(bytes({ usageMetadata })).usage).toEqual({
      input: 67,
      cache_read: 40,
      cache_write: 0,
      cache_write_1h: 0,
      output: 50,
      reasoning: 30,
      audio_in: 25,
      image_out: 12,
      service_tier: 'flex',
      source: 'reported',
    })
    for (const wrong of [null, 'x', {}, { promptTokenCount: -1 }, { promptTokenCount: 'many' }]) {
      expect(geminiGenerate.readAnswerReport(bytes({ usageMetadata: wrong })).usage).toBeUndefined()
    }
  })
})

describe.skipIf(!recordingsHere)(recordingsTitle('recorded answers'), () => {
  it('give a call whole whose arguments came place by place', () => {
    const recording = recordingById(
      'google.generateContent',
      'google-stream-tool-call-array-arguments-missing-terminal-f-0e0b8c71',
    )!
    const read = geminiGenerate.reader()
    const events = createFrameParser().push(bytesOf(recording)).flatMap(read)
    const calls = events.filter((event) => event.type === 'tool_call')
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject({ name: 'writeItems', signature: expect.stringMatching(/^AY89/) })
    expect(JSON.parse(calls[0]!.arguments)).toEqual({
      operations: [
        { action: 'add', description: 'Fresh red apple', itemid: 'apple_001', price: 0.5 },
        { action: 'add', description: 'Ripe yellow banana', itemid: 'banana_001', price: 0.3 },
      ],
    })
    expect(events).toContainEqual({ type: 'finish', reason: 'tool_calls', choice: 0 })
  })
})
