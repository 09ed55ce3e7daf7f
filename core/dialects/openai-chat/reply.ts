// Reads and writes a whole chat answer.
import { fail } from '../../errors.ts'
import type { Usage } from '../answers/usage.ts'
import { CONTENT_WITHHELD } from '../answers/failures.ts'
import { estimateEventTokens, type RequestHead } from '../requests/head.ts'
import type { ToolForms } from '../requests/tools.ts'
import {
  buildAudioFields,
  buildStartEvent,
  readChoiceEvents,
  writeCitationField,
  readDeltaEvents,
  hasIrregularEnd,
  getDelta,
  writeImageField,
  parseCitations,
  parseFinishReason,
  writeReasoningFields,
} from './events.ts'
import { writeWholeCall } from './tools.ts'
import type { FinishReason, ModelEvent, OutputTokenLogprobs } from '../answers/model-event.ts'
import type { AnswerReport } from '../dialect.ts'
import { isEmptyAnswer } from '../answers/event-content.ts'
import { asList, asObject, parseJsonBytes, type JsonObject } from '../json/json-value.ts'
import { findProviderObjects } from '../requests/object-places.ts'
import { chatObjectPlaces } from '../requests/openai-objects.ts'
import { findDisguisedError, findChunkFailure, writeErrorReply } from './error.ts'
import { buildLogprobsField } from './logprobs.ts'
import type { UnassembledEvent } from '../tool-calls/assembler.ts'
import { writeUsageMembers, parseAnswerUsage } from './usage.ts'
import { toJsonBytes } from '../json/json-bytes.ts'

function parseAnswer(body: Uint8Array): JsonObject {
  const answer = asObject(parseJsonBytes(body))
  if (!answer) fail('upstream.unreadable', {}, { detail: 'the answer is no JSON object' })
  return answer
}

/**
 * Returns a whole answer as the events of the equivalent stream, including `end`.
 * @throws GatewayError upstream.unreadable
 */
export function readWholeReply(body: Uint8Array): UnassembledEvent[] {
  const answer = parseAnswer(body)
  const failure = findChunkFailure(answer)
  const usage = parseAnswerUsage(answer)
  const counted: ModelEvent[] = usage ? [{ type: 'usage', usage }] : []
  if (failure) return [...counted, { type: 'failure', failure }]
  const output = (asList(answer.choices) ?? []).flatMap((choice, position): UnassembledEvent[] =>
    readChoiceEvents(asObject(choice) ?? {}, position, 'message'),
  )
  output.push(...parseCitations(answer))
  return [buildStartEvent(answer), ...output, ...counted, { type: 'end' }]
}

type Start = Pick<Extract<ModelEvent, { type: 'start' }>, 'id' | 'model' | 'created'>

interface ReplyChoice {
  text: string
  logprobs?: OutputTokenLogprobs[]
  refusal: string
  reasoning: string
  signature?: string
  images: JsonObject[]
  sound: string
  citations: JsonObject[]
  calls: Map<number, Omit<Extract<ModelEvent, { type: 'tool_call' }>, 'type' | 'index' | 'choice'>>
  reason?: FinishReason
}

/** Writes a whole answer from events and joins its text fragments. A failure among them makes it an error body. */
export function writeWholeReply(events: ModelEvent[], head?: RequestHead): Uint8Array {
  let start: Start = { id: '', model: '', created: 0 }
  let usage: Usage | undefined
  const choices = new Map<number, ReplyChoice>()
  const getChoice = (index: number): ReplyChoice => {
    const known = choices.get(index)
    if (known) return known
    const fresh: ReplyChoice = {
      text: '',
      refusal: '',
      reasoning: '',
      images: [],
      sound: '',
      citations: [],
      calls: new Map(),
    }
    choices.set(index, fresh)
    return fresh
  }
  for (const event of events) {
    if (event.type === 'failure') return writeErrorReply(event.failure)
    if (event.type === 'start')
      start = { id: event.id, model: event.model || (head?.model ?? ''), created: event.created }
    else if (event.type === 'usage') usage = event.usage
    else if (event.type !== 'end') add(getChoice(event.choice), event)
  }
  if (choices.size === 0) getChoice(0)
  const written = [...choices]
    .sort(([a], [b]) => a - b)
    .map(([index, choice]) => writeChoice(index, choice, start, head?.tool_forms))
  const more = usage ? writeUsageMembers(usage) : {}
  return toJsonBytes({ ...start, object: 'chat.completion', choices: written, ...more })
}

function add(choice: ReplyChoice, event: Exclude<ModelEvent, { type: 'start' | 'usage' | 'failure' | 'end' }>): void {
  if (event.type === 'text') {
    choice.text += event.text
    for (const token of event.logprobs ?? []) (choice.logprobs ??= []).push(token)
    sign(choice, event.signature)
  } else if (event.type === 'refusal') choice.refusal += event.text
  else if (event.type === 'finish') choice.reason = event.reason
  else if (event.type === 'image') choice.images.push(writeImageField(event))
  else if (event.type === 'audio') choice.sound += event.data
  else if (event.type === 'citation') choice.citations.push(writeCitationField(event, choice.text.length))
  else if (event.type === 'reasoning') {
    if (event.redacted) return
    choice.reasoning += event.text
    sign(choice, event.signature)
  } else if (event.type === 'tool_call') {
    const call = choice.calls.get(event.index)
    choice.calls.set(event.index, {
      id: event.id ?? call?.id,
      name: event.name ?? call?.name,
      arguments: (call?.arguments ?? '') + event.arguments,
      signature: event.signature ?? call?.signature,
      freeform: event.freeform ?? call?.freeform,
    })
  }
}

/** Sets the signature of a choice. This format has room for one only, so several are dropped. */
function sign(choice: ReplyChoice, signature: string | undefined): void {
  if (signature) choice.signature = choice.signature === undefined ? signature : ''
}

function writeChoice(index: number, choice: ReplyChoice, start: Start, forms?: ToolForms): JsonObject {
  const { text, refusal, reasoning, signature, images, sound, citations, calls, reason } = choice
  const message = {
    role: 'assistant',
    content: text === '' && (calls.size > 0 || refusal !== '') ? null : text,
    refusal: refusal === '' ? null : refusal,
    ...(reasoning || signature ? writeReasoningFields({ text: reasoning, signature }) : {}),
    ...(images.length > 0 ? { images } : {}),
    ...(sound === '' ? {} : { audio: { ...buildAudioFields(start), data: sound, transcript: text } }),
    ...(citations.length > 0 ? { annotations: citations } : {}),
    ...(calls.size > 0
      ? { tool_calls: [...calls].map(([at, call]) => ({ index: at, ...writeWholeCall(call, forms) })) }
      : {}),
  }
  return { index, message, ...buildLogprobsField(choice.logprobs), finish_reason: reason ?? null }
}

export function readAnswerReport(body: Uint8Array): AnswerReport {
  const answer = parseJsonBytes(body)
  const whole = asObject(answer) ?? {}
  const withheld = (asList(whole.choices) ?? []).some(
    (choice) => parseFinishReason(asObject(choice) ?? {}) === 'content_filter',
  )
  return {
    failure: findDisguisedError(answer),
    usage: parseAnswerUsage(whole),
    isEmpty: () => isEmpty(whole),
    objects: findProviderObjects(whole, chatObjectPlaces.answer),
    ...(withheld ? { blocked: CONTENT_WITHHELD } : {}),
  }
}

const isEmpty = ({ choices }: JsonObject): boolean =>
  (asList(choices) ?? []).every((choice) => isEmptyChoice(asObject(choice) ?? {}))

/** Checks a choice. A choice with a regular end is an answer, so its events are only made without one. */
const isEmptyChoice = (choice: JsonObject): boolean =>
  (parseFinishReason(choice) === undefined || hasIrregularEnd(choice)) &&
  isEmptyAnswer(readChoiceEvents(choice, 0, 'message'))

/** Estimates the output tokens of a whole answer: its texts, and the overhead of tool calls. */
export function estimateOutputTokens(body: Uint8Array): number {
  let sum = 0
  for (const choice of asList(asObject(parseJsonBytes(body))?.choices) ?? []) {
    for (const event of readDeltaEvents(getDelta(asObject(choice) ?? {}, 'message'), 0))
      sum += estimateEventTokens(event)
  }
  return Math.ceil(sum)
}
