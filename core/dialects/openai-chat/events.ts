// Reads and writes the stream of a chat answer: chunks to events and events to chunks.
import { fail } from '../../errors.ts'
import type { SseFrame } from '../answers/frames.ts'
import type { RequestHead } from '../requests/head.ts'
import { asList, asFiniteNumber, asObject, asText, getMember, type JsonObject, parseJson } from '../json/json-value.ts'
import { addTextLogprobs } from '../answers/event-content.ts'
import type { FinishReason, ModelEvent, TextRange } from '../answers/model-event.ts'
import type { ToolCallDelta, UnassembledEvent } from '../tool-calls/assembler.ts'
import { findChunkFailure, parseFailure, writeErrorFrame } from './error.ts'
import { buildLogprobsField, readLogProbabilities } from './logprobs.ts'
import { createCallWriter, readSignature } from './tools.ts'
import { parseAnswerUsage, writeUsageMembers } from './usage.ts'

// Reads one piece of an answer: a chunk's delta or a whole message, in the spellings of many providers.

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
export function readDeltaEvents(delta: JsonObject, choice: number): UnassembledEvent[] {
  const events: UnassembledEvent[] = []
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
  const start = asFiniteNumber(getMember(source, 'start_index'))
  const end = asFiniteNumber(getMember(source, 'end_index'))
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

function callPiece(call: JsonObject, choice: number): ToolCallDelta | undefined {
  const called = asObject(call.function) ?? asObject(call.custom) ?? {}
  const id = asText(call.id)
  const name = asText(called.name)
  const signature = readSignature(call)
  const given = called.arguments ?? called.input
  const written = typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given)
  if (!id && !name && !written) return undefined
  return {
    type: 'tool_call',
    index: asFiniteNumber(call.index),
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
export const hasIrregularEnd = ({ finish_reason }: JsonObject): boolean => ODD.test(asText(finish_reason) ?? '')

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

export const STREAM_END_MARK = '[DONE]'

/**
 * Returns a reader of the frames of one stream.
 * @throws GatewayError upstream.unreadable if a frame's data is not a JSON object
 */
export function createStreamReader(): (frame: SseFrame) => UnassembledEvent[] {
  let started = false
  return (frame) => {
    const data = frame.data.trim()
    if (data === '') return []
    if (data === STREAM_END_MARK) return [{ type: 'end' }]
    const chunk = asObject(parseJson(data))
    if (!chunk) fail('upstream.unreadable', {}, { detail: 'a frame of the stream is no JSON object' })
    const failure = findChunkFailure(chunk) ?? (frame.event === 'error' ? parseFailure(chunk, 502) : undefined)
    const usage = parseAnswerUsage(chunk)
    const counted: ModelEvent[] = usage ? [{ type: 'usage', usage }] : []
    if (failure) return [...counted, { type: 'failure', failure }]

    const chunkEvents = (asList(chunk.choices) ?? []).flatMap((choice, position) =>
      readChoiceEvents(asObject(choice) ?? {}, position, 'delta'),
    )
    // Every chunk repeats the citations, so they are only read from the last one.
    if (chunkEvents.some(({ type }) => type === 'finish')) chunkEvents.push(...parseCitations(chunk))
    const events: UnassembledEvent[] = [...chunkEvents, ...counted]
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
  created: Math.trunc(asFiniteNumber(answer.created) ?? 0),
})

/** Returns the events of one choice of a chunk or of a whole answer. */
export function readChoiceEvents(
  choice: JsonObject,
  position: number,
  member: 'delta' | 'message',
): UnassembledEvent[] {
  const index = asFiniteNumber(choice.index) ?? position
  const logprobs = readLogProbabilities(getMember(choice.logprobs, 'content'))
  const deltas = readDeltaEvents(getDelta(choice, member), index)
  const marked =
    member === 'message' ? deltas.map((event) => (event.type === 'tool_call' ? asWhole(event) : event)) : deltas
  const events = addTextLogprobs(marked, logprobs, index)
  const reason = parseFinishReason(choice)
  const odd = hasIrregularEnd(choice) ? { odd: true as const } : {}
  const stop = reason === 'stop' ? readStopSequence(choice) : {}
  return reason ? [...events, { type: 'finish', reason, choice: index, ...odd, ...stop }] : events
}

const asWhole = (call: ToolCallDelta): ToolCallDelta => ({ ...call, isWhole: true })

/** Returns a writer of the chunks of one stream. Usage is only written for callers who requested it. */
export function createStreamWriter(head: RequestHead): (event: ModelEvent) => SseFrame[] {
  let start = { id: '', model: head.model, created: 0 }
  const calls = createCallWriter(head.tool_forms)
  /** Characters of each answer's text so far. */
  const letters = new Map<number, number>()
  const lettersAt = (choice: number): number => letters.get(choice) ?? 0
  const chunk = (choices: JsonObject[], more: JsonObject = {}): SseFrame[] => [
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
        return delta(
          event.choice,
          { content: event.text, ...buildSignatureField(event) },
          null,
          buildLogprobsField(event.logprobs),
        )
      case 'refusal':
        return delta(event.choice, { refusal: event.text })
      case 'reasoning':
        // Encrypted reasoning is for its provider only.
        return event.redacted ? [] : delta(event.choice, writeReasoningFields(event))
      case 'tool_call':
        return calls.write(event).flatMap((call) => delta(event.choice, { tool_calls: [call] }))
      case 'image':
        return delta(event.choice, { images: [writeImageField(event)] })
      case 'audio':
        return delta(event.choice, { audio: { ...buildAudioFields(start), data: event.data } })
      case 'citation':
        return delta(event.choice, { annotations: [writeCitationField(event, lettersAt(event.choice))] })
      case 'finish':
        return [
          ...calls.rest(event.choice).flatMap((call) => delta(event.choice, { tool_calls: [call] })),
          ...delta(event.choice, {}, event.reason),
        ]
      case 'search':
        // The results of a search are written as citations of the text.
        return []
      case 'usage':
        return head.include_usage ? chunk([], writeUsageMembers(event.usage)) : []
      case 'failure':
        return [writeErrorFrame(event.failure)]
      case 'end':
        return [{ data: STREAM_END_MARK }]
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
export const writeReasoningFields = ({
  text,
  signature,
}: Pick<EventOf<'reasoning'>, 'text' | 'signature'>): JsonObject => ({
  reasoning_content: text,
  ...buildSignatureField({ signature }),
})

export const buildSignatureField = ({ signature }: { signature?: string }): JsonObject =>
  signature ? { reasoning_signature: signature } : {}

/** Writes an image as is common in this format. */
export const writeImageField = ({ url }: EventOf<'image'>): JsonObject => ({ type: 'image_url', image_url: { url } })
/** Writes a citation. `letters` is the length of the text before it: its position if it has no range. */
export const writeCitationField = ({ url, title = '', at }: EventOf<'citation'>, letters: number): JsonObject => ({
  type: 'url_citation',
  url_citation: { url, title, start_index: at?.start ?? letters, end_index: at?.end ?? letters },
})

// Searches a chunk's text to avoid a parse: the hot path of every stream. Indexes are those of the bytes.

/**
 * Matches a chunk with more than text: usage, a finish reason, an error, audio. `null` and `""` do not count. Inside a
 * text the quotes are escaped, so model output cannot match. Alternatives of equal length speed up the search; another
 * key that ends in `reason` only costs a parse.
 */
export const NON_TEXT_CHUNK: RegExp = /(?:"usage|"error|"audio|reason)"(?! *: *(?:null|""))/g

const CR = '\r'

/** Is the frame one line of `data: {…}`? */
export function isChunk(text: string, start: number, end: number): boolean {
  if (!text.startsWith('data:', start)) return false
  let at = start + 5
  while (text[at] === ' ') at++
  if (text[at] !== '{') return false
  const line = text.indexOf('\n', at)
  return line === end - 2 || (line === end - 3 && text[line - 1] === CR && text[line + 1] === CR)
}

/** A delta with a single text, without escapes, and nothing else. */
const PLAIN_TEXT =
  /"delta" *: *\{(?: *"\w+" *: *(?:null|""|"assistant") *,)* *"(?:content|reasoning(?:_content)?|refusal)" *: *"([^"\\]+)"(?: *, *"\w+" *: *(?:null|""|\[\]|"assistant"))* *\}/g

/** Returns the bytes of a plain chunk's text; undefined if the chunk may have other content and must be parsed. */
export function countPlainText(text: string, start: number, end: number): number | undefined {
  PLAIN_TEXT.lastIndex = start
  const [, plainText] = PLAIN_TEXT.exec(text) ?? []
  const behind = PLAIN_TEXT.lastIndex
  const another = text.indexOf('"delta"', behind)
  return plainText === undefined || behind > end || (another >= 0 && another < end) ? undefined : plainText.length
}
