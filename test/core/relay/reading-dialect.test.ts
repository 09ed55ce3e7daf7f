// Answers and tool calls for which a provider gives no id get one, in every format, for clients of every format.
import { describe, expect, it } from 'vitest'
import { createFrameParser, type SseFrame } from '../../../core/dialects/answers/frames.ts'
import type { ModelEvent } from '../../../core/dialects/answers/model-event.ts'
import type { Dialect, ProviderDialect } from '../../../core/dialects/dialect.ts'
import { geminiGenerate } from '../../../core/index.ts'
import { wrapProviderDialect } from '../../../core/relay/answers/translate.ts'
import { callerFormats, streamFormats, wholeStream } from '../../support/formats.ts'
import type { Json } from '../../support/json.ts'
import { listFailures } from '../../support/list-failures.ts'

const head = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }
const bytes = (text: string) => new TextEncoder().encode(text)
const json = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))
const hear = (theirs: ProviderDialect, ours: Dialect, id: string) =>
  wrapProviderDialect(theirs, ours, { force_format: true }, head, { id, now: () => 7 })

/** An answer without ids, read of a stream for a caller. */
function eventsOf(theirs: ProviderDialect, ours: Dialect, id: string, stream: string): ModelEvent[] {
  const frames = createFrameParser()
  return [...frames.push(bytes(stream)), ...frames.end()].flatMap(hear(theirs, ours, id).reader())
}

const idIn = (written: Json): string => written.id ?? written.message?.id ?? written.response?.id ?? written.responseId

describe.each(streamFormats.map((format) => [format.dialect.name, format] as const))('an answer of %s', (_, format) => {
  it('has an id of its own for callers of every format', async () => {
    const failures = await listFailures(
      callerFormats,
      ({ name }) => name,
      (ours) => {
        const ids = ['first', 'second'].map((call) => {
          const events = eventsOf(format.dialect, ours, call, wholeStream(format))
          const whole = idIn(json(ours.writeWholeReply(events, head)))
          const frames: SseFrame[] = events.flatMap(ours.writer(head))
          const streamed = frames.filter(({ data }) => data.startsWith('{')).map(({ data }) => idIn(JSON.parse(data)))
          expect([...new Set(streamed.filter(Boolean))]).toEqual([whole])
          return whole
        })
        expect(ids).toEqual([`${ours.idPrefix}first`, `${ours.idPrefix}second`])
      },
    )
    expect(failures).toEqual([])
  })
})

describe('calls without ids', () => {
  const call = { functionCall: { name: 'look', args: { at: 'it' } } }
  const answer = (more: object) =>
    bytes(JSON.stringify({ candidates: [{ content: { parts: [call, call] } }], ...more }))
  const idsOf = (theirs: Uint8Array, id: string): unknown[] =>
    hear(geminiGenerate, callerFormats[0]!, id)
      .readWholeReply(theirs)
      .flatMap((event) => (event.type === 'tool_call' ? [event.id] : []))

  it('differ over a conversation in which the same is called again', () => {
    const ids = [...idsOf(answer({}), 'first'), ...idsOf(answer({}), 'second')]
    expect(new Set(ids).size).toBe(4)
    expect(ids).toContain('call_chatcmpl-first_1')
  })

  it('keep what the provider says', () => {
    expect(idsOf(answer({ responseId: 'own' }), 'first')).toEqual(['call_own_0', 'call_own_1'])
  })
})
