// Reads and writes a whole answer.
import { fail } from '../../errors.ts'
import { isEmptyAnswer } from '../answered.ts'
import { findContentFilterFailure, isBlocked } from '../failures.ts'
import { PER_TOOL_CALL, textTokens } from '../head.ts'
import { findSignature } from '../reasoning-signature.ts'
import type { Usage } from '../usage.ts'
import type { FinishReason, ModelEvent, TokenLogprob } from '../model-event.ts'
import type { WholeReport } from '../dialect.ts'
import { asList, asObject, parseJsonBytes, withoutUndefined, type JsonObject } from '../json-value.ts'
import { findObjects } from '../object-places.ts'
import { objects } from './objects.ts'
import { createAnswerReader } from './answer.ts'
import { disguisedError, writeError } from './error.ts'
import { buildAnswerNames } from './events.ts'
import { createSources } from './grounding.ts'
import { logprobsField } from './logprobs.ts'
import { createPartWriter } from './parts.ts'
import { writeUsage } from './usage.ts'

const encoder = new TextEncoder()

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
export function readReply(body: Uint8Array): ModelEvent[] {
  const events =
    readEvents(parseJsonBytes(body)) ?? fail('upstream.unreadable', {}, { detail: 'the answer is no JSON object' })
  const failure = events.find(({ type }) => type === 'failure')
  const usage = events.findLast(({ type }) => type === 'usage')
  const counted = usage ? [usage] : []
  if (failure) return [...counted, failure]
  const output = events.filter(({ type }) => type !== 'usage')
  return [...output, ...counted, { type: 'end' }]
}

export function readWhole(body: Uint8Array): WholeReport {
  const answer = parseJsonBytes(body)
  const events = readEvents(answer) ?? []
  const usage = events.findLast((event) => event.type === 'usage')?.usage
  const refused = events.find((event) => event.type === 'failure')?.failure
  const proof = events.map(findSignature).findLast((one) => one !== undefined)
  const blocked = refused && isBlocked(refused) ? refused : findContentFilterFailure(events)
  return {
    failure: disguisedError(answer),
    usage,
    isEmpty: () => isEmptyAnswer(events),
    proof,
    objects: findObjects(answer, objects.answer),
    ...(blocked ? { blocked } : {}),
  }
}

/** Creates the builder of one candidate. */
function createCandidate() {
  const speaker = createPartWriter()
  const parts: JsonObject[] = []
  const sources = createSources()
  let logprobs: TokenLogprob[] | undefined
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
      return withoutUndefined({
        content: { parts, role: 'model' },
        finishReason: speaker.finish(reason ?? 'stop'),
        index,
        ...sources.written(),
        ...logprobsField(logprobs),
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
export function writeReply(events: ModelEvent[]): Uint8Array {
  const candidates = new Map<number, ReturnType<typeof createCandidate>>()
  let names: JsonObject = {}
  let usage: Usage | undefined
  for (const event of events) {
    if (event.type === 'failure') return writeError(event.failure)
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
  const usageMetadata = usage && writeUsage(usage)
  return encoder.encode(JSON.stringify(withoutUndefined({ candidates: written, usageMetadata, ...names })))
}

/** Estimates the output tokens of a whole answer: its texts, and the overhead of calls. */
export const outputEstimate = (body: Uint8Array): number =>
  Math.ceil((readEvents(parseJsonBytes(body)) ?? []).reduce((sum, event) => sum + eventTokens(event), 0))

function eventTokens(event: ModelEvent): number {
  if (event.type === 'tool_call') return PER_TOOL_CALL + textTokens(event.name ?? '') + textTokens(event.arguments)
  return 'text' in event ? textTokens(event.text) : 0
}
