// Reads and writes a whole answer.
import { fail } from '../../errors.ts'
import { isEmptyAnswer } from '../answers/event-content.ts'
import { findContentFilterFailure, isBlocked } from '../answers/failures.ts'
import { PER_TOOL_CALL, estimateTextTokens, type RequestHead } from '../requests/head.ts'
import { findSignature } from '../reasoning/reasoning-signature.ts'
import type { Usage } from '../answers/usage.ts'
import type { FinishReason, ModelEvent, OutputTokenLogprobs } from '../answers/model-event.ts'
import type { AnswerReport } from '../dialect.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asList, asObject, parseJsonBytes, omitUndefinedMembers, parseJson } from '../json/json-value.ts'
import { findProviderObjects } from '../requests/object-places.ts'
import { generateObjects } from './head.ts'
import { createAnswerReader, buildLogprobsField } from './answer.ts'
import { findDisguisedError, writeErrorReply, writeErrorFrame } from './error.ts'
import { createCitationCollector, type CitationCollector } from './grounding.ts'
import { createPartWriter, type PartWriter } from './parts.ts'
import { writeUsageMetadata } from './usage.ts'
import type { SseFrame } from '../answers/frames.ts'
import { escapeLineEnds } from './fields.ts'
import { toJsonBytes } from '../json/json-bytes.ts'

// Reads and writes the stream of an answer: each frame is a complete answer object with the new content.

/**
 * Returns a reader of the frames of one stream. There is no end mark: the stream ends when its bytes end after a finish
 * reason.
 * @throws GatewayError upstream.unreadable if a frame's data is not a JSON object
 */
export function createStreamReader(): (frame: SseFrame) => ModelEvent[] {
  const read = createAnswerReader()
  return (frame) => {
    if (frame.data.trim() === '') return []
    const chunk = asObject(parseJson(frame.data))
    if (!chunk) fail('upstream.unreadable', {}, { detail: 'a frame of the stream is no JSON object' })
    return read(chunk)
  }
}

/**
 * Returns a writer of the frames of one stream. The finish reason, citations and usage are written with the last frame.
 */
export function createStreamWriter(head: RequestHead): (event: ModelEvent) => SseFrame[] {
  let names: JsonObject = { modelVersion: head.model }
  let usage: Usage | undefined
  const candidates = new Map<number, { speaker: PartWriter; sources: CitationCollector; reason?: FinishReason }>()
  const candidateAt = (choice: number) => {
    const candidate = candidates.get(choice) ?? { speaker: createPartWriter(), sources: createCitationCollector() }
    candidates.set(choice, candidate)
    return candidate
  }
  const frame = (chunk: JsonObject): SseFrame[] => [{ data: escapeLineEnds(JSON.stringify({ ...chunk, ...names })) }]
  const writeParts = (index: number, parts: JsonObject[], more?: JsonObject): SseFrame[] =>
    parts.length === 0 ? [] : frame({ candidates: [{ content: { parts, role: 'model' }, index, ...more }] })

  /**
   * Writes the last frame. Other formats have an end mark; here only a finish reason shows that an answer is complete.
   */
  function last(): SseFrame[] {
    if (candidates.size === 0) candidateAt(0)
    const ended = [...candidates].map(([index, { speaker, sources, reason = 'stop' }]) => {
      const parts = speaker.rest()
      const finishReason = speaker.finish(reason)
      const content = { parts: parts.length > 0 ? parts : [{ text: '' }], role: 'model' }
      return { content, finishReason, index, ...sources.written() }
    })
    return frame(omitUndefinedMembers({ candidates: ended, usageMetadata: usage && writeUsageMetadata(usage) }))
  }

  return (event) => {
    switch (event.type) {
      case 'start':
        names = buildAnswerNames(event, head)
        return []
      case 'citation':
        candidateAt(event.choice).sources.cite(event)
        return []
      case 'search':
        return []
      case 'finish':
        candidateAt(event.choice).reason = event.reason
        return []
      case 'usage':
        usage = event.usage
        return []
      case 'failure':
        return [writeErrorFrame(event.failure)]
      case 'end':
        return last()
      default: {
        const { speaker, sources } = candidateAt(event.choice)
        if (event.type !== 'text') return writeParts(event.choice, speaker.say(event))
        sources.say(event.text)
        return writeParts(event.choice, speaker.say(event), buildLogprobsField(event.logprobs))
      }
    }
  }
}

/** Returns the members that every frame of an answer repeats. */
export const buildAnswerNames = (
  { id, model }: { id: string; model: string },
  head?: Pick<RequestHead, 'model'>,
): JsonObject => ({ modelVersion: model || (head?.model ?? ''), ...(id ? { responseId: id } : {}) })

/** Returns the events of an answer; an array has the chunks of a stream that came at once. */
function readEvents(answer: unknown): ModelEvent[] | undefined {
  const chunks = asList(answer) ?? [answer]
  const read = createAnswerReader()
  const events: ModelEvent[] = []
  for (const chunk of chunks) {
    const object = asObject(chunk)
    if (!object) return undefined
    events.push(...read(object))
  }
  return events
}

/**
 * Returns a whole answer as the events of the equivalent stream, including `end`.
 * @throws GatewayError upstream.unreadable
 */
export function readWholeReply(body: Uint8Array): ModelEvent[] {
  const events =
    readEvents(parseJsonBytes(body)) ?? fail('upstream.unreadable', {}, { detail: 'the answer is no JSON object' })
  const failure = events.find(({ type }) => type === 'failure')
  const usage = events.findLast(({ type }) => type === 'usage')
  const counted = usage ? [usage] : []
  if (failure) return [...counted, failure]
  const output = events.filter(({ type }) => type !== 'usage')
  return [...output, ...counted, { type: 'end' }]
}

export function readAnswerReport(body: Uint8Array): AnswerReport {
  const answer = parseJsonBytes(body)
  const events = readEvents(answer) ?? []
  const usage = events.findLast((event) => event.type === 'usage')?.usage
  const refused = events.find((event) => event.type === 'failure')?.failure
  const proof = events.map(findSignature).findLast((one) => one !== undefined)
  const blocked = refused && isBlocked(refused) ? refused : findContentFilterFailure(events)
  return {
    failure: findDisguisedError(answer),
    usage,
    isEmpty: () => isEmptyAnswer(events),
    proof,
    objects: findProviderObjects(answer, generateObjects.answer),
    ...(blocked ? { blocked } : {}),
  }
}

/** Creates the builder of one candidate. */
function createCandidate() {
  const speaker = createPartWriter()
  const parts: JsonObject[] = []
  const sources = createCitationCollector()
  let logprobs: OutputTokenLogprobs[] | undefined
  let reason: FinishReason | undefined
  return {
    add(event: Exclude<ModelEvent, { type: 'start' | 'usage' | 'failure' | 'end' }>): void {
      if (event.type === 'finish') reason = event.reason
      else if (event.type === 'citation') sources.cite(event)
      else if (event.type !== 'search') {
        if (event.type === 'text') {
          sources.say(event.text)
          for (const token of event.logprobs ?? []) (logprobs ??= []).push(token)
        }
        for (const part of speaker.say(event)) append(parts, part)
      }
    },
    written(index: number): JsonObject {
      for (const part of speaker.rest()) append(parts, part)
      return omitUndefinedMembers({
        content: { parts, role: 'model' },
        finishReason: speaker.finish(reason ?? 'stop'),
        index,
        ...sources.written(),
        ...buildLogprobsField(logprobs),
      })
    },
  }
}

/** Appends a part and joins text that came in pieces; signed reasoning is complete. */
function append(parts: JsonObject[], part: JsonObject): void {
  const before = parts.at(-1)
  const joins =
    before !== undefined &&
    typeof before.text === 'string' &&
    typeof part.text === 'string' &&
    before.thought === part.thought &&
    (before.thoughtSignature === undefined || (!part.thought && part.thoughtSignature === undefined))
  if (joins) parts[parts.length - 1] = { ...before, ...part, text: `${String(before.text)}${String(part.text)}` }
  else parts.push(part)
}

/** Writes a whole answer from events. A failure among them makes it an error body. */
export function writeWholeReply(events: ModelEvent[]): Uint8Array {
  const candidates = new Map<number, ReturnType<typeof createCandidate>>()
  let names: JsonObject = {}
  let usage: Usage | undefined
  for (const event of events) {
    if (event.type === 'failure') return writeErrorReply(event.failure)
    if (event.type === 'start') names = buildAnswerNames(event)
    else if (event.type === 'usage') usage = event.usage
    else if (event.type !== 'end') {
      const candidate = candidates.get(event.choice) ?? createCandidate()
      candidates.set(event.choice, candidate)
      candidate.add(event)
    }
  }
  // An answer without text still has a candidate.
  if (candidates.size === 0) candidates.set(0, createCandidate())
  const written = [...candidates].sort(([a], [b]) => a - b).map(([index, one]) => one.written(index))
  const usageMetadata = usage && writeUsageMetadata(usage)
  return toJsonBytes(omitUndefinedMembers({ candidates: written, usageMetadata, ...names }))
}

/** Estimates the output tokens of a whole answer: its texts, and the overhead of calls. */
export const estimateOutputTokens = (body: Uint8Array): number =>
  Math.ceil((readEvents(parseJsonBytes(body)) ?? []).reduce((sum, event) => sum + eventTokens(event), 0))

function eventTokens(event: ModelEvent): number {
  if (event.type === 'tool_call')
    return PER_TOOL_CALL + estimateTextTokens(event.name ?? '') + estimateTextTokens(event.arguments)
  return 'text' in event ? estimateTextTokens(event.text) : 0
}
