// Reads and writes a whole message as the equivalent stream.
import { fail } from '../../errors.ts'
import { isEmptyAnswer } from '../answers/event-content.ts'
import { CONTENT_WITHHELD } from '../answers/failures.ts'
import { PER_TOOL_CALL, type RequestHead, estimateTextTokens } from '../requests/head.ts'
import { withProofsFirst } from '../reasoning/reasoning-signature.ts'
import type { ModelEvent } from '../answers/model-event.ts'
import type { AnswerReport } from '../dialect.ts'
import { asList, getMember, asObject, parseJsonBytes, asText, type JsonObject } from '../json/json-value.ts'
import { findProviderObjects } from '../requests/object-places.ts'
import { messageObjects, findLastSignature } from './head.ts'
import { findDisguisedError, findEventFailure, writeErrorReply } from './error.ts'
import type { UnassembledEvent } from '../tool-calls/assembler.ts'
import { createEventReader } from './read-events.ts'
import { parseUsage } from './usage.ts'
import { createEventWriter, buildWholeMessage } from './write-events.ts'
import { toJsonBytes } from '../json/json-bytes.ts'

/** Returns the payloads of a stream that is equivalent to this message. */
function toPayloads(message: JsonObject): JsonObject[] {
  const { stop_reason, stop_sequence } = message
  const blocks = (asList(message.content) ?? []).flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: block },
    ...(asList(asObject(block)?.citations) ?? []).map((citation) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'citations_delta', citation },
    })),
    { type: 'content_block_stop', index },
  ])
  const delta = { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: message.usage }
  return [
    { type: 'message_start', message: { ...message, usage: undefined } },
    ...blocks,
    delta,
    { type: 'message_stop' },
  ]
}

/**
 * Returns a whole answer as the events of the equivalent stream, including `end`.
 * @throws GatewayError upstream.unreadable
 */
export function readWholeReply(body: Uint8Array): UnassembledEvent[] {
  const message = asObject(parseJsonBytes(body))
  if (!message) fail('upstream.unreadable', {}, { detail: 'the answer is no JSON object' })
  const failure = findEventFailure(message)
  if (!failure) return toPayloads(message).flatMap(createEventReader())
  const usage = parseUsage(message.usage)
  return [...(usage ? [{ type: 'usage' as const, usage }] : []), { type: 'failure', failure }]
}

/**
 * Writes a whole answer from events and joins its text fragments. A failure among the events makes it an error body.
 */
export function writeWholeReply(events: ModelEvent[], head?: RequestHead): Uint8Array {
  const failed = events.find((event) => event.type === 'failure')
  if (failed?.type === 'failure') return writeErrorReply(failed.failure)
  const all: ModelEvent[] = events.some(({ type }) => type === 'end') ? events : [...events, { type: 'end' }]
  const message = buildWholeMessage(
    withProofsFirst(all).flatMap(createEventWriter(head ?? { model: '', prompt_estimate: 0 })),
  )
  return toJsonBytes(message)
}

export function readAnswerReport(body: Uint8Array): AnswerReport {
  const answer = parseJsonBytes(body)
  const proof = findLastSignature(getMember(answer, 'content'))
  const withheld = getMember(answer, 'stop_reason') === 'refusal'
  const usage = parseUsage(getMember(answer, 'usage'))
  return {
    failure: findDisguisedError(answer, body),
    usage,
    isEmpty: () => isEmpty(asObject(answer) ?? {}),
    proof,
    objects: findProviderObjects(answer, messageObjects.answer),
    ...(withheld ? { blocked: CONTENT_WITHHELD } : {}),
  }
}

const isEmpty = (message: JsonObject): boolean =>
  asText(message.stop_reason) === undefined && isEmptyAnswer(toPayloads(message).flatMap(createEventReader()))

/** Estimates the output tokens of a whole answer: its texts, and the overhead of tool calls. */
export function estimateOutputTokens(body: Uint8Array): number {
  let sum = 0
  for (const event of toPayloads(asObject(parseJsonBytes(body)) ?? {}).flatMap(createEventReader())) {
    if (event.type === 'tool_call') sum += event.name === undefined ? 0 : PER_TOOL_CALL + estimateTextTokens(event.name)
    if (event.type === 'tool_call') sum += estimateTextTokens(event.arguments)
    else if ('text' in event) sum += estimateTextTokens(event.text)
  }
  return Math.ceil(sum)
}
