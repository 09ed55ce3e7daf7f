// Reads and writes a whole Responses answer.
import { fail } from '../../errors.ts'
import { isEmptyAnswer } from '../answers/event-content.ts'
import { CONTENT_WITHHELD } from '../answers/failures.ts'
import { type RequestHead, estimateEventTokens } from '../requests/head.ts'
import { withProofsFirst } from '../reasoning/reasoning-signature.ts'
import type { ModelEvent } from '../answers/model-event.ts'
import type { AnswerReport } from '../dialect.ts'
import { asList, asObject, parseJsonBytes, asText, type JsonObject } from '../json/json-value.ts'
import { writeErrorReply } from '../openai-chat/error.ts'
import { findProviderObjects } from '../requests/object-places.ts'
import { responsesObjectPlaces } from '../requests/openai-objects.ts'
import type { UnassembledEvent } from '../tool-calls/assembler.ts'
import { findProviderCompaction } from './compaction.ts'
import { findDisguisedError, parseResponseFailure } from './error.ts'
import { findLastEncrypted } from './extras.ts'
import {
  CHOICE_INDEX,
  parseFinish,
  isToolCallItem,
  readItemEvents,
  getTextLength,
  buildStartEvent,
} from './read-events.ts'
import { createOutput } from './output.ts'
import { parseAnswerUsage } from './usage.ts'
import { toJsonBytes } from '../json/json-bytes.ts'

const plainHead: RequestHead = { model: '', stream: false, include_usage: true, prompt_estimate: 1 }

/** Returns the events of all items, and whether a tool was called. */
function outputEvents(response: JsonObject): { contentEvents: UnassembledEvent[]; called: boolean } {
  let called = false
  let letters = 0
  const contentEvents = (asList(response.output) ?? []).flatMap((one, place): UnassembledEvent[] => {
    const item = asObject(one) ?? {}
    const events = readItemEvents(item, place, letters)
    letters += getTextLength(events)
    called ||= isToolCallItem(item)
    return events.map((event) => (event.type === 'tool_call' ? { ...event, isWhole: true } : event))
  })
  return { contentEvents, called }
}

/**
 * Returns a whole answer as the events of the equivalent stream, including `end`.
 * @throws GatewayError upstream.unreadable
 */
export function readWholeReply(body: Uint8Array): UnassembledEvent[] {
  const response = asObject(parseJsonBytes(body))
  if (!response) fail('upstream.unreadable', {}, { detail: 'the answer is no JSON object' })
  const failure = parseResponseFailure(response)
  const usage = parseAnswerUsage(response)
  const counted: ModelEvent[] = usage ? [{ type: 'usage', usage }] : []
  if (failure) return [...counted, { type: 'failure', failure }]
  const { contentEvents, called } = outputEvents(response)
  return [
    buildStartEvent(response),
    ...contentEvents,
    { type: 'finish', reason: parseFinish(response, called), choice: CHOICE_INDEX },
    ...counted,
    { type: 'end' },
  ]
}

/**
 * Writes a whole answer from events: the content of the last event of their stream. A failure makes it an error body.
 */
export function writeWholeReply(events: ModelEvent[], head: RequestHead = plainHead): Uint8Array {
  const take = createOutput(head)
  let end: ModelEvent = { type: 'end' }
  for (const event of withProofsFirst(events)) {
    if (event.type === 'failure') return writeErrorReply(event.failure)
    if (event.type === 'end') end = event
    else take(event)
  }
  const last = take(end).at(-1)
  return toJsonBytes(last?.response)
}

export function readAnswerReport(body: Uint8Array): AnswerReport {
  const answer = parseJsonBytes(body)
  const response = asObject(answer) ?? {}
  const withheld = parseFinish(response, false) === 'content_filter'
  const proof = findLastEncrypted(asList(response.output))
  const compaction = findProviderCompaction(asList(response.output))
  return {
    failure: findDisguisedError(answer),
    usage: parseAnswerUsage(response),
    isEmpty: () => asText(response.status) === undefined && isEmptyAnswer(outputEvents(response).contentEvents),
    proof,
    ...(compaction === undefined ? {} : { compaction }),
    objects: findProviderObjects(response, responsesObjectPlaces.answer),
    ...(withheld ? { blocked: CONTENT_WITHHELD } : {}),
  }
}

/** Estimates the output tokens of a whole answer: its texts, and the overhead of tool calls. */
export function estimateOutputTokens(body: Uint8Array): number {
  const { contentEvents } = outputEvents(asObject(parseJsonBytes(body)) ?? {})
  return Math.ceil(contentEvents.reduce((sum, event) => sum + estimateEventTokens(event), 0))
}

const decoder = new TextDecoder()

/** Finds the id of an answer. Every answer starts with its type; ids of other vendors have other prefixes. */
export const findAnswerId = (bytes: Uint8Array): string | undefined =>
  /"id"\s*:\s*"([^"\\]{8,256})"/.exec(decoder.decode(bytes.subarray(0, HEAD_BYTES)))?.[1]

/** The id is near the start, before instructions and tools are repeated. Unit: bytes. */
const HEAD_BYTES = 4096
