// Reads one piece of an answer: a chunk's delta or a whole message, in the spellings of many providers.
import type { FinishReason, ModelEvent, TextRange } from '../model-event.ts'
import type { CallPiece, ReaderEvent } from '../tool-calls/assembler.ts'
import { readSignature } from './extras.ts'
import { asList, getMember, asNumber, asObject, asText, type JsonObject } from '../json-value.ts'

/**
 * Returns the text and reasoning of content that may be a text, a list of parts (Mistral), or an object (JSON mode
 * elsewhere).
 */
function splitContent(content: unknown): { text: string; reasoning: string } {
  if (typeof content === 'string') return { text: content, reasoning: '' }
  if (asObject(content)) return { text: JSON.stringify(content), reasoning: '' }
  let text = ''
  let reasoning = ''
  for (const part of asList(content) ?? []) {
    const thinking = getMember(part, 'thinking')
    if (thinking === undefined) text += asText(getMember(part, 'text')) ?? ''
    else reasoning += typeof thinking === 'string' ? thinking : splitContent(thinking).text
  }
  return { text, reasoning }
}

/** Returns plain reasoning, under its two names; some providers send both with the same text. */
const getReasoning = (delta: JsonObject): string => asText(delta.reasoning_content) ?? asText(delta.reasoning) ?? ''

/**
 * Returns a choice's content: in a stream its delta with the new part, in a whole answer its message (Perplexity sends
 * both in both). The older completions have a text.
 */
export function getDelta(choice: JsonObject, first: 'delta' | 'message'): JsonObject {
  const found = asObject(choice[first]) ?? asObject(choice.message) ?? asObject(choice.delta)
  return found ?? (typeof choice.text === 'string' ? { content: choice.text } : {})
}

/** Returns the events of one delta or message of one choice, except its finish. */
export function deltaEvents(delta: JsonObject, choice: number): ReaderEvent[] {
  const events: ReaderEvent[] = []
  const content = splitContent(delta.content)
  const reasoning = getReasoning(delta) || content.reasoning
  const signature = asText(delta.reasoning_signature)
  const proof = signature ? { signature } : {}
  if (reasoning) events.push({ type: 'reasoning', text: reasoning, choice, ...proof })
  const text = content.text || (asText(getMember(delta.audio, 'transcript')) ?? '')
  // A signature without plain reasoning belongs to the text in this delta or before it.
  const closing = reasoning ? {} : proof
  if (text || closing.signature) events.push({ type: 'text', text, choice, ...closing })
  for (const image of asList(delta.images) ?? []) {
    const url = asText(getMember(getMember(image, 'image_url'), 'url'))
    if (url) events.push({ type: 'image', url, choice })
  }
  const sound = asText(getMember(delta.audio, 'data'))
  if (sound) events.push({ type: 'audio', data: sound, format: 'wav', choice })
  for (const note of asList(delta.annotations) ?? []) {
    const source = getMember(note, 'url_citation')
    const url = asText(getMember(source, 'url'))
    const title = asText(getMember(source, 'title'))
    if (url) events.push({ type: 'citation', url, ...(title ? { title } : {}), choice, ...parseTextRange(source) })
  }
  const refusal = asText(delta.refusal)
  if (refusal) events.push({ type: 'refusal', text: refusal, choice })
  const legacy = asObject(delta.function_call)
  const calls = [...(asList(delta.tool_calls) ?? []), ...(legacy ? [{ function: legacy }] : [])]
  for (const [at, call] of calls.entries()) {
    const piece = callPiece(asObject(call) ?? {}, choice)
    if (piece) events.push(calls.length > 1 ? { ...piece, position: at } : piece)
  }
  return events
}

/** Returns the text range of a citation; one of length zero is for no particular text. */
export function parseTextRange(source: unknown, from = 0): { at?: TextRange } {
  const start = asNumber(getMember(source, 'start_index'))
  const end = asNumber(getMember(source, 'end_index'))
  return start === undefined || end === undefined || start < 0 || end <= start
    ? {}
    : { at: { start: from + start, end: from + end } }
}

/** Parses citations next to the choices, as Perplexity and xAI send them, with titles if the results have them. */
export function parseCitations(answer: JsonObject): ModelEvent[] {
  const results = asList(answer.search_results) ?? []
  const titles = new Map(
    results.map((result) => [asText(getMember(result, 'url')), asText(getMember(result, 'title'))]),
  )
  return (asList(answer.citations) ?? [...titles.keys()]).flatMap((source): ModelEvent[] => {
    const url = asText(source)
    const title = titles.get(url)
    return url ? [{ type: 'citation', url, ...(title ? { title } : {}), choice: 0 }] : []
  })
}

function callPiece(call: JsonObject, choice: number): CallPiece | undefined {
  const called = asObject(call.function) ?? asObject(call.custom) ?? {}
  const id = asText(call.id)
  const name = asText(called.name)
  const signature = readSignature(call)
  const given = called.arguments ?? called.input
  const written = typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given)
  if (!id && !name && !written) return undefined
  return {
    type: 'tool_call',
    index: asNumber(call.index),
    choice,
    ...(id ? { id } : {}),
    ...(name ? { name } : {}),
    arguments: written,
    ...(asObject(call.custom) ? { freeform: true } : {}),
    ...(signature ? { signature } : {}),
  }
}

/** Does a delta have any content? The role alone, empty texts and nulls are none. */
export function hasContent(delta: JsonObject): boolean {
  if (asText(delta.content) || asText(delta.reasoning_content) || asText(delta.reasoning) || asText(delta.refusal))
    return true
  return [
    delta.content,
    delta.tool_calls,
    delta.function_call,
    delta.audio,
    delta.images,
    delta.reasoning_details,
  ].some((value) =>
    Array.isArray(value) ? value.length > 0 : asObject(value) !== undefined && Object.keys(value as object).length > 0,
  )
}

/** Finish reasons of providers; any other is a normal end. */
const finishReasons: Record<string, FinishReason> = {
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
  sensitive: 'content_filter',
  refusal: 'content_filter',
}

/** Finish reasons of no answer: servers that gave up, and Gemini's reasons for calls that it could not make. */
const ODD = /^(?:error|abort(?:ed)?|network_error)$|malformed|unexpected_tool_call/i

/** Did a choice end without an answer? */
export const endsOddly = ({ finish_reason }: JsonObject): boolean => ODD.test(asText(finish_reason) ?? '')

/** Finish reasons that some servers put where vLLM puts the sequence. */
const ENDS = new Set(['stop', 'stop_sequence', 'end_turn', 'eos', 'eos_token', 'length', 'tool_calls', 'tool_use'])

/** The stop sequence that ended a choice, as vLLM and SGLang report it. A number is a token of the model. */
export function readStopSequence({ stop_reason, matched_stop }: JsonObject): { stop_sequence?: string } {
  const sequence = asText(stop_reason) ?? asText(matched_stop)
  return sequence === undefined || ENDS.has(sequence) ? {} : { stop_sequence: sequence }
}

/** Parses the finish reason of a choice; undefined if it has not ended. */
export function parseFinishReason(choice: JsonObject): FinishReason | undefined {
  const reason = asText(choice.finish_reason)
  if (reason === undefined) return undefined
  return Object.hasOwn(finishReasons, reason) ? finishReasons[reason] : 'stop'
}
