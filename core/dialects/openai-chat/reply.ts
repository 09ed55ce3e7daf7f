// Reads and writes a whole chat answer.
import { fail } from '../../errors.ts'
import type { Usage } from '../usage.ts'
import { WITHHELD } from '../failures.ts'
import { eventTokens, type RequestHead } from '../head.ts'
import type { ToolForms } from '../tools.ts'
import {
  buildAudioFields,
  buildStartEvent,
  choiceEvents,
  citationField,
  deltaEvents,
  endsOddly,
  getDelta,
  imageField,
  parseCitations,
  parseFinishReason,
  reasoningFields,
} from './events.ts'
import { wholeCall } from './tools.ts'
import type { FinishReason, ModelEvent, TokenLogprob } from '../model-event.ts'
import type { WholeReport } from '../dialect.ts'
import { isEmptyAnswer } from '../answered.ts'
import { asList, asObject, parseJsonBytes, type JsonObject } from '../json-value.ts'
import { findObjects } from '../object-places.ts'
import { chatObjects } from '../openai-objects.ts'
import { disguisedError, failureInChunk, writeError } from './error.ts'
import { logprobsField } from './logprobs.ts'
import type { ReaderEvent } from '../tool-calls/assembler.ts'
import { usageMembers, parseAnswerUsage } from './usage.ts'

const encoder = new TextEncoder()

function parseAnswer(body: Uint8Array): JsonObject {
  const answer = asObject(parseJsonBytes(body))
  if (!answer) fail('upstream.unreadable', {}, { detail: 'the answer is no JSON object' })
  return answer
}

/**
 * Returns a whole answer as the events of the equivalent stream, including `end`.
 * @throws GatewayError upstream.unreadable
 */
export function readReply(body: Uint8Array): ReaderEvent[] {
  const answer = parseAnswer(body)
  const failure = failureInChunk(answer)
  const usage = parseAnswerUsage(answer)
  const counted: ModelEvent[] = usage ? [{ type: 'usage', usage }] : []
  if (failure) return [...counted, { type: 'failure', failure }]
  const output = (asList(answer.choices) ?? []).flatMap((choice, position): ReaderEvent[] =>
    choiceEvents(asObject(choice) ?? {}, position, 'message'),
  )
  output.push(...parseCitations(answer))
  return [buildStartEvent(answer), ...output, ...counted, { type: 'end' }]
}

type Start = Pick<Extract<ModelEvent, { type: 'start' }>, 'id' | 'model' | 'created'>

interface Choice {
  text: string
  logprobs?: TokenLogprob[]
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
export function writeReply(events: ModelEvent[], head?: RequestHead): Uint8Array {
  let start: Start = { id: '', model: '', created: 0 }
  let usage: Usage | undefined
  const choices = new Map<number, Choice>()
  const getChoice = (index: number): Choice => {
    const known = choices.get(index)
    if (known) return known
    const fresh: Choice = {
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
    if (event.type === 'failure') return writeError(event.failure)
    if (event.type === 'start')
      start = { id: event.id, model: event.model || (head?.model ?? ''), created: event.created }
    else if (event.type === 'usage') usage = event.usage
    else if (event.type !== 'end') add(getChoice(event.choice), event)
  }
  if (choices.size === 0) getChoice(0)
  const written = [...choices]
    .sort(([a], [b]) => a - b)
    .map(([index, choice]) => writeChoice(index, choice, start, head?.tool_forms))
  const more = usage ? usageMembers(usage) : {}
  return encoder.encode(JSON.stringify({ ...start, object: 'chat.completion', choices: written, ...more }))
}

function add(choice: Choice, event: Exclude<ModelEvent, { type: 'start' | 'usage' | 'failure' | 'end' }>): void {
  if (event.type === 'text') {
    choice.text += event.text
    for (const token of event.logprobs ?? []) (choice.logprobs ??= []).push(token)
    sign(choice, event.signature)
  } else if (event.type === 'refusal') choice.refusal += event.text
  else if (event.type === 'finish') choice.reason = event.reason
  else if (event.type === 'image') choice.images.push(imageField(event))
  else if (event.type === 'audio') choice.sound += event.data
  else if (event.type === 'citation') choice.citations.push(citationField(event, choice.text.length))
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
function sign(choice: Choice, signature: string | undefined): void {
  if (signature) choice.signature = choice.signature === undefined ? signature : ''
}

function writeChoice(index: number, choice: Choice, start: Start, forms?: ToolForms): JsonObject {
  const { text, refusal, reasoning, signature, images, sound, citations, calls, reason } = choice
  const message = {
    role: 'assistant',
    content: text === '' && (calls.size > 0 || refusal !== '') ? null : text,
    refusal: refusal === '' ? null : refusal,
    ...(reasoning || signature ? reasoningFields({ text: reasoning, signature }) : {}),
    ...(images.length > 0 ? { images } : {}),
    ...(sound === '' ? {} : { audio: { ...buildAudioFields(start), data: sound, transcript: text } }),
    ...(citations.length > 0 ? { annotations: citations } : {}),
    ...(calls.size > 0
      ? { tool_calls: [...calls].map(([at, call]) => ({ index: at, ...wholeCall(call, forms) })) }
      : {}),
  }
  return { index, message, ...logprobsField(choice.logprobs), finish_reason: reason ?? null }
}

export function readWhole(body: Uint8Array): WholeReport {
  const answer = parseJsonBytes(body)
  const whole = asObject(answer) ?? {}
  const withheld = (asList(whole.choices) ?? []).some(
    (choice) => parseFinishReason(asObject(choice) ?? {}) === 'content_filter',
  )
  return {
    failure: disguisedError(answer),
    usage: parseAnswerUsage(whole),
    isEmpty: () => isEmpty(whole),
    objects: findObjects(whole, chatObjects.answer),
    ...(withheld ? { blocked: WITHHELD } : {}),
  }
}

const isEmpty = ({ choices }: JsonObject): boolean =>
  (asList(choices) ?? []).every((choice) => isEmptyChoice(asObject(choice) ?? {}))

/** Checks a choice. A choice with a regular end is an answer, so its events are only made without one. */
const isEmptyChoice = (choice: JsonObject): boolean =>
  (parseFinishReason(choice) === undefined || endsOddly(choice)) && isEmptyAnswer(choiceEvents(choice, 0, 'message'))

/** Estimates the output tokens of a whole answer: its texts, and the overhead of tool calls. */
export function outputEstimate(body: Uint8Array): number {
  let sum = 0
  for (const choice of asList(asObject(parseJsonBytes(body))?.choices) ?? []) {
    for (const event of deltaEvents(getDelta(asObject(choice) ?? {}, 'message'), 0)) sum += eventTokens(event)
  }
  return Math.ceil(sum)
}
