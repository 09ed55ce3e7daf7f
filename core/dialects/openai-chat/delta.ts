// What one piece of an answer says: a chunk's delta or a whole message, in the spellings of many providers.
import type { FinishReason, ModelEvent, TextRange } from '../model-event.ts'
import type { CallPiece, HeardEvent } from '../tool-calls/assembler.ts'
import { readSignature } from './extras.ts'
import { listIn, memberOf, numberIn, objectIn, textIn, type JsonObject } from '../json-value.ts'

/** Text and reasoning of content that may be a text, a list of parts (Mistral), or an object (JSON mode elsewhere). */
function contentOf(content: unknown): { text: string; reasoning: string } {
  if (typeof content === 'string') return { text: content, reasoning: '' }
  if (objectIn(content)) return { text: JSON.stringify(content), reasoning: '' }
  let text = ''
  let reasoning = ''
  for (const part of listIn(content) ?? []) {
    const thinking = memberOf(part, 'thinking')
    if (thinking === undefined) text += textIn(memberOf(part, 'text')) ?? ''
    else reasoning += typeof thinking === 'string' ? thinking : contentOf(thinking).text
  }
  return { text, reasoning }
}

/** Reasoning in words, under its two names; some send both with the same text. */
const reasoningOf = (delta: JsonObject): string => textIn(delta.reasoning_content) ?? textIn(delta.reasoning) ?? ''

/**
 * What a choice says: in a stream its delta is what is new, in a whole answer its message is all of it (Perplexity
 * sends both in both). The older completions say a text.
 */
export function saidIn(choice: JsonObject, first: 'delta' | 'message'): JsonObject {
  const said = objectIn(choice[first]) ?? objectIn(choice.message) ?? objectIn(choice.delta)
  return said ?? (typeof choice.text === 'string' ? { content: choice.text } : {})
}

/** Events of one delta or message of one choice, finish aside. */
export function deltaEvents(delta: JsonObject, choice: number): HeardEvent[] {
  const events: HeardEvent[] = []
  const content = contentOf(delta.content)
  const reasoning = reasoningOf(delta) || content.reasoning
  const signature = textIn(delta.reasoning_signature)
  const proof = signature ? { signature } : {}
  if (reasoning) events.push({ type: 'reasoning', text: reasoning, choice, ...proof })
  const text = content.text || (textIn(memberOf(delta.audio, 'transcript')) ?? '')
  // A proof without a thought in words is of what is said beside it, or was.
  const closing = reasoning ? {} : proof
  if (text || closing.signature) events.push({ type: 'text', text, choice, ...closing })
  for (const image of listIn(delta.images) ?? []) {
    const url = textIn(memberOf(memberOf(image, 'image_url'), 'url'))
    if (url) events.push({ type: 'image', url, choice })
  }
  const sound = textIn(memberOf(delta.audio, 'data'))
  if (sound) events.push({ type: 'audio', data: sound, format: 'wav', choice })
  for (const note of listIn(delta.annotations) ?? []) {
    const source = memberOf(note, 'url_citation')
    const url = textIn(memberOf(source, 'url'))
    const title = textIn(memberOf(source, 'title'))
    if (url) events.push({ type: 'citation', url, ...(title ? { title } : {}), choice, ...placeIn(source) })
  }
  const refusal = textIn(delta.refusal)
  if (refusal) events.push({ type: 'refusal', text: refusal, choice })
  const legacy = objectIn(delta.function_call)
  const calls = [...(listIn(delta.tool_calls) ?? []), ...(legacy ? [{ function: legacy }] : [])]
  for (const [at, call] of calls.entries()) {
    const piece = callPiece(objectIn(call) ?? {}, choice)
    if (piece) events.push(calls.length > 1 ? { ...piece, position: at } : piece)
  }
  return events
}

/** Where in the text a source stands; one of no length stands for no words in particular. */
export function placeIn(source: unknown, from = 0): { at?: TextRange } {
  const start = numberIn(memberOf(source, 'start_index'))
  const end = numberIn(memberOf(source, 'end_index'))
  return start === undefined || end === undefined || start < 0 || end <= start
    ? {}
    : { at: { start: from + start, end: from + end } }
}

/** Sources that stand beside the choices, as Perplexity and xAI tell them; with titles where the results say them. */
export function sourcesIn(answer: JsonObject): ModelEvent[] {
  const results = listIn(answer.search_results) ?? []
  const titles = new Map(results.map((result) => [textIn(memberOf(result, 'url')), textIn(memberOf(result, 'title'))]))
  return (listIn(answer.citations) ?? [...titles.keys()]).flatMap((source): ModelEvent[] => {
    const url = textIn(source)
    const title = titles.get(url)
    return url ? [{ type: 'citation', url, ...(title ? { title } : {}), choice: 0 }] : []
  })
}

function callPiece(call: JsonObject, choice: number): CallPiece | undefined {
  const called = objectIn(call.function) ?? objectIn(call.custom) ?? {}
  const id = textIn(call.id)
  const name = textIn(called.name)
  const signature = readSignature(call)
  const given = called.arguments ?? called.input
  const written = typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given)
  if (!id && !name && !written) return undefined
  return {
    type: 'tool_call',
    index: numberIn(call.index),
    choice,
    ...(id ? { id } : {}),
    ...(name ? { name } : {}),
    arguments: written,
    ...(objectIn(call.custom) ? { freeform: true } : {}),
    ...(signature ? { signature } : {}),
  }
}

/** Does a delta say anything at all? The role alone, empty texts and nulls do not. */
export function hasContent(delta: JsonObject): boolean {
  if (textIn(delta.content) || textIn(delta.reasoning_content) || textIn(delta.reasoning) || textIn(delta.refusal))
    return true
  return [
    delta.content,
    delta.tool_calls,
    delta.function_call,
    delta.audio,
    delta.images,
    delta.reasoning_details,
  ].some((value) =>
    Array.isArray(value) ? value.length > 0 : objectIn(value) !== undefined && Object.keys(value as object).length > 0,
  )
}

/** Provider's words for the end of an answer; what is not listed ends it normally. */
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

/** Ends that no answer has: servers that gave up, and Gemini's words for calls that it could not make. */
const ODD = /^(?:error|abort(?:ed)?|network_error)$|malformed|unexpected_tool_call/i

/** Did a choice end without an answer? */
export const endsOddly = ({ finish_reason }: JsonObject): boolean => ODD.test(textIn(finish_reason) ?? '')

/** Finish reasons that some servers put where vLLM puts the sequence. */
const ENDS = new Set(['stop', 'stop_sequence', 'end_turn', 'eos', 'eos_token', 'length', 'tool_calls', 'tool_use'])

/** The stop sequence that ended a choice, as vLLM and SGLang report it. A number is a token of the model. */
export function readStopSequence({ stop_reason, matched_stop }: JsonObject): { stop_sequence?: string } {
  const sequence = textIn(stop_reason) ?? textIn(matched_stop)
  return sequence === undefined || ENDS.has(sequence) ? {} : { stop_sequence: sequence }
}

/** Why a choice ended; undefined where it has not. */
export function finishOf(choice: JsonObject): FinishReason | undefined {
  const reason = textIn(choice.finish_reason)
  if (reason === undefined) return undefined
  return Object.hasOwn(finishReasons, reason) ? finishReasons[reason] : 'stop'
}
