// Reads and writes the stream of a chat answer: chunks to events and events to chunks.
import { fail } from '../../errors.ts'
import type { Frame } from '../frame.ts'
import type { RequestHead } from '../head.ts'
import type { ModelEvent } from '../model-event.ts'
import { asList, getMember, asNumber, asObject, parseJson, asText, type JsonObject } from '../json-value.ts'
import { withLogprobs } from '../logprobs.ts'
import type { CallPiece, ReaderEvent } from '../tool-calls/assembler.ts'
import { createCallWriter } from './calls.ts'
import { deltaEvents, endsOddly, parseFinishReason, getDelta, readStopSequence, parseCitations } from './delta.ts'
import { parseFailure, failureInChunk, writeErrorFrame } from './error.ts'
import { logprobsField, readLogprobs } from './logprobs.ts'
import { usageMembers, parseAnswerUsage } from './usage.ts'

export const END_MARK = '[DONE]'

/**
 * Returns a reader of the frames of one stream.
 * @throws GatewayError upstream.unreadable if a frame's data is not a JSON object
 */
export function createReader(): (frame: Frame) => ReaderEvent[] {
  let started = false
  return (frame) => {
    const data = frame.data.trim()
    if (data === '') return []
    if (data === END_MARK) return [{ type: 'end' }]
    const chunk = asObject(parseJson(data))
    if (!chunk) fail('upstream.unreadable', {}, { detail: 'a frame of the stream is no JSON object' })
    const failure = failureInChunk(chunk) ?? (frame.event === 'error' ? parseFailure(chunk, 502) : undefined)
    const usage = parseAnswerUsage(chunk)
    const counted: ModelEvent[] = usage ? [{ type: 'usage', usage }] : []
    if (failure) return [...counted, { type: 'failure', failure }]

    const chunkEvents = (asList(chunk.choices) ?? []).flatMap((choice, position) =>
      choiceEvents(asObject(choice) ?? {}, position, 'delta'),
    )
    // Every chunk repeats the citations, so they are only read from the last one.
    if (chunkEvents.some(({ type }) => type === 'finish')) chunkEvents.push(...parseCitations(chunk))
    const events: ReaderEvent[] = [...chunkEvents, ...counted]
    // Azure starts with a chunk of filter results that has neither id nor model: not the start yet.
    if (!started && (events.length > 0 || asText(chunk.id) || asText(chunk.model))) {
      started = true
      events.unshift(buildStartEvent(chunk))
    }
    return events
  }
}

export const buildStartEvent = (answer: JsonObject): ModelEvent => ({
  type: 'start',
  id: asText(answer.id) ?? '',
  model: asText(answer.model) ?? '',
  created: Math.trunc(asNumber(answer.created) ?? 0),
})

/** Returns the events of one choice of a chunk or of a whole answer. */
export function choiceEvents(choice: JsonObject, position: number, member: 'delta' | 'message'): ReaderEvent[] {
  const index = asNumber(choice.index) ?? position
  const logprobs = readLogprobs(getMember(choice.logprobs, 'content'))
  const deltas = deltaEvents(getDelta(choice, member), index)
  const marked =
    member === 'message' ? deltas.map((event) => (event.type === 'tool_call' ? asWhole(event) : event)) : deltas
  const events = withLogprobs(marked, logprobs, index)
  const reason = parseFinishReason(choice)
  const odd = endsOddly(choice) ? { odd: true as const } : {}
  const stop = reason === 'stop' ? readStopSequence(choice) : {}
  return reason ? [...events, { type: 'finish', reason, choice: index, ...odd, ...stop }] : events
}

const asWhole = (call: CallPiece): CallPiece => ({ ...call, isWhole: true })

/** Returns a writer of the chunks of one stream. Usage is only written for callers who requested it. */
export function createWriter(head: RequestHead): (event: ModelEvent) => Frame[] {
  let start = { id: '', model: head.model, created: 0 }
  const calls = createCallWriter(head.tool_forms)
  /** Characters of each answer's text so far. */
  const letters = new Map<number, number>()
  const lettersAt = (choice: number): number => letters.get(choice) ?? 0
  const chunk = (choices: JsonObject[], more: JsonObject = {}): Frame[] => [
    {
      data: JSON.stringify({
        id: start.id,
        object: 'chat.completion.chunk',
        created: start.created,
        model: start.model,
        choices,
        ...more,
      }),
    },
  ]
  const delta = (index: number, deltaFields: JsonObject, reason: string | null = null, more?: JsonObject) =>
    chunk([{ index, delta: deltaFields, ...more, finish_reason: reason }])

  return (event) => {
    switch (event.type) {
      case 'start':
        start = { id: event.id, model: event.model || head.model, created: event.created }
        return delta(0, { role: 'assistant', content: '' })
      case 'text':
        letters.set(event.choice, lettersAt(event.choice) + event.text.length)
        return delta(event.choice, { content: event.text, ...proofField(event) }, null, logprobsField(event.logprobs))
      case 'refusal':
        return delta(event.choice, { refusal: event.text })
      case 'reasoning':
        // Encrypted reasoning is for its provider only.
        return event.redacted ? [] : delta(event.choice, reasoningFields(event))
      case 'tool_call':
        return calls.write(event).flatMap((call) => delta(event.choice, { tool_calls: [call] }))
      case 'image':
        return delta(event.choice, { images: [imageField(event)] })
      case 'audio':
        return delta(event.choice, { audio: { ...buildAudioFields(start), data: event.data } })
      case 'citation':
        return delta(event.choice, { annotations: [citationField(event, lettersAt(event.choice))] })
      case 'finish':
        return [
          ...calls.rest(event.choice).flatMap((call) => delta(event.choice, { tool_calls: [call] })),
          ...delta(event.choice, {}, event.reason),
        ]
      case 'search':
        // The results of a search are written as citations of the text.
        return []
      case 'usage':
        return head.include_usage ? chunk([], usageMembers(event.usage)) : []
      case 'failure':
        return [writeErrorFrame(event.failure)]
      case 'end':
        return [{ data: END_MARK }]
    }
  }
}

/** Returns the id and expiry of an answer's audio. It is not stored, so a later request cannot refer to it. */
export const buildAudioFields = ({ id, created }: { id: string; created: number }): JsonObject => ({
  id: `audio_${id}`,
  expires_at: created,
})

type EventOf<T extends ModelEvent['type']> = Extract<ModelEvent, { type: T }>

/** Writes reasoning. Most clients read `reasoning_content`; the signature has no standard name in this format. */
export const reasoningFields = ({ text, signature }: Pick<EventOf<'reasoning'>, 'text' | 'signature'>): JsonObject => ({
  reasoning_content: text,
  ...proofField({ signature }),
})

export const proofField = ({ signature }: { signature?: string }): JsonObject =>
  signature ? { reasoning_signature: signature } : {}

/** Writes an image as is common in this format. */
export const imageField = ({ url }: EventOf<'image'>): JsonObject => ({ type: 'image_url', image_url: { url } })
/** Writes a citation. `letters` is the length of the text before it: its position if it has no range. */
export const citationField = ({ url, title = '', at }: EventOf<'citation'>, letters: number): JsonObject => ({
  type: 'url_citation',
  url_citation: { url, title, start_index: at?.start ?? letters, end_index: at?.end ?? letters },
})
