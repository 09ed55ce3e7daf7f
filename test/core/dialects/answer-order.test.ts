// Clients of each format read the parts of an answer in the provider's order. The answer ends with the text if the text
// was last, each source is on the text that contains it, and a stream has the same content as the whole answer.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { createFrameParser, encodeEventFrames } from '../../../core/dialects/answers/frames.ts'
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from '../../../core/index.ts'
import { recordingsOf } from '../../support/at-hand.ts'
import { listFailures } from '../../support/list-failures.ts'
import { bytesOf } from '../../support/recordings.ts'
import type { Json } from '../../support/json.ts'

const head = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }

/** A block of an answer as its reader finds it. */
interface Block {
  kind: 'text' | 'thought' | 'call'
  says: string
  /** The words that sources stand for; of a format that tells none, the whole text. */
  cited: string[]
}

const thought = (says: string): Block => ({ kind: 'thought', says, cited: [] })
const call = (says: string): Block => ({ kind: 'call', says, cited: [] })

const readMessage = ({ content }: Json): Block[] =>
  content.map((block: Json): Block => {
    if (block.type === 'thinking') return thought(block.thinking)
    if (block.type === 'tool_use') return call(block.name)
    return { kind: 'text', says: block.text, cited: (block.citations ?? []).map((one: Json) => one.cited_text) }
  })

const readResponse = ({ output }: Json): Block[] =>
  output.flatMap((item: Json): Block[] => {
    if (item.type === 'reasoning') return [thought(item.summary.map((part: Json) => part.text).join(''))]
    if (item.type === 'function_call') return [call(item.name)]
    return item.content.map((part: Json) => ({
      kind: 'text',
      says: part.text,
      cited: part.annotations.map((one: Json) => part.text.slice(one.start_index, one.end_index)),
    }))
  })

const readChoice = ({ choices: [{ message }] }: Json): Block[] => [
  ...(message.reasoning_content ? [thought(message.reasoning_content)] : []),
  {
    kind: 'text',
    says: message.content ?? '',
    cited: (message.annotations ?? []).map(({ url_citation: { start_index, end_index } }: Json) =>
      message.content.slice(start_index, end_index),
    ),
  },
  ...(message.tool_calls ?? []).map((one: Json) => call(one.function.name)),
]

const readCandidate = ({ candidates: [{ content, groundingMetadata }] }: Json): Block[] => {
  const all: Buffer = Buffer.from(content.parts.map((part: Json) => (part.thought ? '' : (part.text ?? ''))).join(''))
  const cited = (groundingMetadata?.groundingSupports ?? []).flatMap(({ segment, groundingChunkIndices }: Json) => {
    const words = all.subarray(segment.startIndex, segment.endIndex).toString()
    expect(words).toBe(segment.text)
    return groundingChunkIndices.map(() => words)
  })
  const blocks = content.parts.map((part: Json): Block => {
    if (part.functionCall) return call(part.functionCall.name)
    return part.thought ? thought(part.text) : { kind: 'text', says: part.text, cited: [] }
  })
  const last = blocks.findLast(({ kind }: Block) => kind === 'text')
  if (last) last.cited = cited
  return blocks
}

/** A whole answer out of a stream, as each vendor's own client puts it together. */
const joinMessage = (events: Json[]): Json => {
  const content: Json[] = []
  for (const { type, index, content_block, delta } of events) {
    if (type === 'content_block_start') content[index] = { ...content_block }
    else if (type === 'content_block_delta') {
      const block = content[index]
      expect(block, 'a delta of a block that has begun').toBeDefined()
      if (delta.type === 'text_delta') block.text += delta.text
      if (delta.type === 'thinking_delta') block.thinking += delta.thinking
      if (delta.type === 'citations_delta') block.citations = [...(block.citations ?? []), delta.citation]
    }
  }
  return { content }
}
const joinChunks = (chunks: Json[]): Json => {
  const message: Json = { content: '', reasoning_content: '', annotations: [], tool_calls: [] }
  for (const { choices } of chunks) {
    const delta = choices[0]?.delta ?? {}
    message.content += delta.content ?? ''
    message.reasoning_content += delta.reasoning_content ?? ''
    message.annotations.push(...(delta.annotations ?? []))
    for (const one of delta.tool_calls ?? []) if (one.id) message.tool_calls.push(one)
  }
  return { choices: [{ message }] }
}
const joinCandidates = (chunks: Json[]): Json => {
  const all = chunks.flatMap(({ candidates }) => candidates)
  const parts = all.flatMap(({ content }) => content.parts).filter((part: Json) => part.text !== '')
  return { candidates: [{ content: { parts }, groundingMetadata: all.at(-1)?.groundingMetadata }] }
}

const readers: [Dialect, (whole: Json) => Block[], (events: Json[]) => Json][] = [
  [anthropicMessages, readMessage, joinMessage],
  [openaiResponses, readResponse, (events) => events.at(-1)!.response],
  [openaiChat, readChoice, joinChunks],
  [geminiGenerate, readCandidate, joinCandidates],
]

const word = fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' })
const HALF_A_LETTER = /[\ud800-\udfff]/u
type Step =
  { say: string; sign: boolean } | { think: string; sign: boolean } | { call: true; sign: boolean } | 'prove' | 'hide'
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ say: word, sign: fc.boolean() }),
  fc.record({ think: word, sign: fc.boolean() }),
  fc.record({ call: fc.constant(true as const), sign: fc.boolean() }),
  fc.constantFrom('prove' as const, 'hide' as const),
)

/** An answer, with sources of words in it, told at its end or on the way. */
const answer = fc
  .record({
    steps: fc.array(step, { maxLength: 8 }),
    places: fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 3 }),
    late: fc.boolean(),
  })
  .map(({ steps, places, late }) => {
    let calls = 0
    let text = ''
    const cited: string[] = []
    const sources = (): ModelEvent[] =>
      places.splice(0).flatMap(([one, other]): ModelEvent[] => {
        const at = { start: Math.min(one, other) % text.length, end: Math.max(one, other) % text.length }
        // Words of which no block could hold all are none here: those of one event are.
        if (!(at.start < at.end) || boundaries.some((place) => at.start < place && place < at.end)) return []
        const words = text.slice(at.start, at.end)
        if (HALF_A_LETTER.test(words)) return []
        cited.push(words)
        return [{ type: 'citation', url: `https://${cited.length}.test`, choice: 0, at, words }]
      })
    const boundaries: number[] = []
    const events = steps.flatMap((one): ModelEvent[] => {
      const signature = 'c2lnbmVk'
      if (one === 'hide') return [{ type: 'reasoning', text: '', choice: 0, signature }]
      if (one === 'prove') return [{ type: 'text', text: '', choice: 0, signature }]
      const signed = one.sign ? { signature } : {}
      if ('say' in one) {
        boundaries.push(text.length)
        text += one.say
        const said: ModelEvent = { type: 'text', text: one.say, choice: 0, ...signed }
        return late ? [said] : [said, ...sources()]
      }
      if ('think' in one) return [{ type: 'reasoning', text: one.think, choice: 0, ...signed }]
      const index = calls++
      return [{ type: 'tool_call', index, choice: 0, id: `id_${index}`, name: `f${index}`, arguments: '{}', ...signed }]
    })
    return { events: [...events, ...(late && text ? sources() : [])], cited, text }
  })

const begin: ModelEvent = { type: 'start', id: 'an-id', model: 'm', created: 1 }
const finish: ModelEvent[] = [{ type: 'finish', reason: 'stop', choice: 0 }, { type: 'end' }]

/** What was said, run by run. */
const runsOf = (blocks: readonly Block[]): string[] =>
  blocks
    .filter(({ says }) => says !== '')
    .reduce<Block[]>((runs, block) => {
      const before = runs.at(-1)
      if (before?.kind !== block.kind || block.kind === 'call') return [...runs, { ...block }]
      before.says += block.says
      return runs
    }, [])
    .map(({ kind, says }) => `${kind}: ${says}`)

const kinds = { text: 'text', reasoning: 'thought', tool_call: 'call' } as const
const blocksOf = (events: readonly ModelEvent[]): Block[] =>
  events.flatMap((event): Block[] => {
    if (event.type !== 'text' && event.type !== 'reasoning' && event.type !== 'tool_call') return []
    const says = event.type === 'tool_call' ? (event.name ?? '') : event.text
    return [{ kind: kinds[event.type], says, cited: [] }]
  })

describe.each(readers.map(([dialect, ...more]) => [dialect.name, dialect, ...more] as const))(
  'an answer written for callers of %s',
  (_, dialect, read, join) => {
    /** Chat has one place for each kind, whatever the order was. */
    const inOrder = dialect !== openaiChat
    /** Google's own answers have empty texts, which hold a proof. */
    const empties = dialect === geminiGenerate
    const whole = (events: ModelEvent[]) =>
      read(JSON.parse(new TextDecoder().decode(dialect.writeWholeReply(events, head))))
    const streamed = (events: ModelEvent[]) => {
      const write = dialect.writer(head)
      const frames = createFrameParser().push(encodeEventFrames(events.flatMap(write)))
      return read(join(frames.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data))))
    }

    it('keeps its order and its sources, and ends with what was said last', () => {
      fc.assert(
        fc.property(answer, ({ events, cited }) => {
          const all = [begin, ...events, ...finish]
          const last = blocksOf(events).findLast(({ says }) => says !== '')
          for (const blocks of [whole(all), streamed(all)]) {
            expect(blocks.flatMap((block) => block.cited).sort()).toEqual([...cited].sort())
            // There sources stand beside all parts, each with its words.
            if (dialect !== geminiGenerate) {
              for (const { says, cited: words } of blocks) for (const one of words) expect(says).toContain(one)
            }
            if (!inOrder) continue
            expect(runsOf(blocks)).toEqual(runsOf(blocksOf(events)))
            if (last?.kind === 'text') expect(blocks.at(-1)?.kind).toBe('text')
            if (empties) continue
            for (const { kind, says } of blocks) if (kind === 'text') expect(says).not.toBe('')
          }
        }),
        { numRuns: 300 },
      )
    })

    it('says the same streamed and whole', () => {
      fc.assert(
        fc.property(answer, ({ events }) => {
          const all = [begin, ...events, ...finish]
          expect(runsOf(streamed(all))).toEqual(runsOf(whole(all)))
        }),
      )
    })
  },
)

describe("Google's recorded answers", () => {
  const recordings = recordingsOf('google.generateContent').filter(({ response }) => response.status === 200)
  const eventsIn = (one: (typeof recordings)[number]): ModelEvent[] => {
    if (!one.response.sse) return geminiGenerate.readWholeReply(bytesOf(one))
    return [...createFrameParser().push(bytesOf(one)).flatMap(geminiGenerate.reader()), { type: 'end' }]
  }

  it('end with what was said last', async () => {
    const failures = await listFailures(
      recordings,
      ({ id }) => id,
      (one) => {
        const events = eventsIn(one)
        if (events.some(({ type }) => type === 'failure')) return expect(events).toHaveLength(1)
        const last = events.findLast(
          (event) =>
            ['text', 'image', 'reasoning', 'tool_call'].includes(event.type) &&
            (!('text' in event) || event.text !== ''),
        )
        for (const [dialect, read, join] of readers.filter(([{ name }]) => name !== 'openai-chat')) {
          const write = dialect.writer(head)
          const streamed = join(events.flatMap(write).map(({ data }) => JSON.parse(data)))
          const whole = JSON.parse(new TextDecoder().decode(dialect.writeWholeReply(events, head)))
          if (dialect === openaiResponses && events.some(({ type }) => type === 'image' || type === 'audio')) continue
          for (const blocks of [read(streamed), read(whole)]) {
            const kind = last?.type === 'tool_call' ? 'call' : last?.type === 'reasoning' ? 'thought' : 'text'
            if (last && last.type !== 'image') expect(blocks.at(-1)?.kind).toBe(kind)
          }
        }
      },
    )
    expect(failures).toEqual([])
  })
})
