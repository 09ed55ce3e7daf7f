// Reads an answer chunk by chunk; a whole answer is one chunk.
import type { ToolCall } from '../model-request.ts'
import type { FinishReason, ModelEvent, TokenProbability, OutputTokenLogprobs } from '../answers/model-event.ts'
import { StreamedText } from '../answers/model-event.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asList, getMember, asFiniteNumber, asObject, asText, omitUndefinedMembers } from '../json/json-value.ts'
import { readFunctionCall } from './call.ts'
import { formatExecutedCode } from './contents.ts'
import { findPromptBlock, findChunkFailure } from './error.ts'
import { getEitherSpelling } from './fields.ts'
import { createSearchCounter, createSearchReader, createSourceReader } from './grounding.ts'
import { getTurnParts } from './head.ts'
import { toAudioFormat, getBlob, toDataUrl } from './media.ts'
import { addTextLogprobs } from '../answers/event-content.ts'
import { findPartSignature } from './signature.ts'
import { parseUsage } from './usage.ts'

/** Reads the log probabilities of a candidate; undefined if it has none. */
function readLogProbabilities(candidate: unknown): OutputTokenLogprobs[] | undefined {
  const result = getEitherSpelling(candidate, 'logprobsResult')
  const chosen = asList(getEitherSpelling(result, 'chosenCandidates'))
  if (!chosen?.length) return undefined
  const top = asList(getEitherSpelling(result, 'topCandidates')) ?? []
  return chosen.map((one, place) => ({
    ...readChance(one),
    top_logprobs: (asList(getEitherSpelling(top[place], 'candidates')) ?? []).map(readChance),
  }))
}

/** Google omits zeros: a token that was certain. */
const readChance = (one: unknown): TokenProbability => ({
  token: asText(getEitherSpelling(one, 'token')) ?? '',
  logprob: asFiniteNumber(getEitherSpelling(one, 'logProbability')) ?? 0,
})

/** Writes the member of a candidate; undefined if log probabilities were not requested. */
export const buildLogprobsField = (logprobs: readonly OutputTokenLogprobs[] | undefined): JsonObject | undefined =>
  logprobs && {
    logprobsResult: {
      topCandidates: logprobs.map(({ top_logprobs }) => ({ candidates: top_logprobs.map(writeChance) })),
      chosenCandidates: logprobs.map(writeChance),
    },
  }

const writeChance = ({ token, logprob }: TokenProbability): JsonObject => ({ token, logProbability: logprob })

// Assembles a function call whose arguments come in pieces: each piece has its path (`$.rows[0].name`) and its value.

/** More elements than any call has; a larger index is skipped. */
const MAX_INDEX = 100_000

type UnnamedCall = Omit<ToolCall, 'id'> & { id?: string }

/** An assembler of one call after another. */
interface PartialCallAssembler {
  /** Is this part a piece of a call, rather than a whole one? An empty piece closes the open call. */
  takes(part: unknown): boolean
  /** Adds a part and returns the calls that it completes: also the open one if the part starts another. */
  take(part: unknown): UnnamedCall[]
  /** Returns the call that is still open if the stream ended without closing it. */
  rest(): UnnamedCall | undefined
}

function createPartialCalls(): PartialCallAssembler {
  let open: { call: Omit<UnnamedCall, 'arguments'>; args: JsonObject } | undefined

  function rest(): UnnamedCall | undefined {
    const done = open && { ...open.call, arguments: JSON.stringify(open.args) }
    open = undefined
    return done
  }
  return {
    rest,
    takes(part) {
      const call = getEitherSpelling(part, 'functionCall')
      const piece =
        getEitherSpelling(call, 'willContinue') === true || getEitherSpelling(call, 'partialArgs') !== undefined
      return piece || (open !== undefined && getEitherSpelling(call, 'name') === undefined)
    },
    take(part) {
      const call = asObject(getEitherSpelling(part, 'functionCall')) ?? {}
      const [id, name] = [asText(call.id), asText(call.name)]
      const another = open && (differs(id, open.call.id) || differs(name, open.call.name))
      const before = another ? rest() : undefined
      open ??= { call: { name: name ?? '' }, args: {} }
      open.call = { ...open.call, ...omitUndefinedMembers({ id, signature: findPartSignature(part) }) }
      for (const piece of asList(getEitherSpelling(call, 'partialArgs')) ?? []) put(open.args, piece)
      const done = getEitherSpelling(call, 'willContinue') === true ? undefined : rest()
      return [before, done].filter((one) => one !== undefined)
    },
  }
}

/** Are both set, and different? */
const differs = (one: string | undefined, other: string | undefined): boolean => Boolean(one && other && one !== other)

type ArgumentPath = (string | number)[]

const parsePath = (path: string): ArgumentPath =>
  [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]/g)].map(([, name, index, quoted]) =>
    index === undefined ? (name ?? quoted ?? '') : Number(index),
  )

function put(args: JsonObject, piece: unknown): void {
  const place = parsePath(asText(getEitherSpelling(piece, 'jsonPath')) ?? '')
  const last = place.at(-1)
  if (last === undefined || place.some((step) => step === '__proto__' || Number(step) > MAX_INDEX)) return
  let at: unknown = args
  for (const [index, step] of place.slice(0, -1).entries()) {
    at = getChild(at, step) ?? setChild(at, step, typeof place[index + 1] === 'number' ? [] : {})
  }
  const before = getChild(at, last)
  const text = getEitherSpelling(piece, 'stringValue')
  // Texts come in pieces too.
  if (typeof text === 'string') setChild(at, last, typeof before === 'string' ? before + text : text)
  else setChild(at, last, getEitherSpelling(piece, 'numberValue') ?? getEitherSpelling(piece, 'boolValue') ?? null)
}

const getChild = (parent: unknown, step: string | number): unknown =>
  typeof parent === 'object' && parent !== null && Object.hasOwn(parent, step)
    ? (parent as Record<string | number, unknown>)[step]
    : undefined

function setChild(parent: unknown, step: string | number, value: unknown): unknown {
  if (typeof parent === 'object' && parent !== null) (parent as Record<string | number, unknown>)[step] = value
  return value
}

/** Google's finish reasons; any other is a normal end. */
const finishReasons: Record<string, FinishReason> = {
  MAX_TOKENS: 'length',
  CONTINUATION: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  LANGUAGE: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
  IMAGE_PROHIBITED_CONTENT: 'content_filter',
  IMAGE_RECITATION: 'content_filter',
  MODEL_ARMOR: 'content_filter',
}

/** Finish reasons of a candidate without an answer. */
const ODD = new Set([
  ...['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MISSING_THOUGHT_SIGNATURE'],
  ...['MALFORMED_RESPONSE', 'OTHER', 'NO_IMAGE', 'IMAGE_OTHER'],
])

/** Did a candidate end without an answer? */
export const hasIrregularEnd = (candidate: unknown): boolean => ODD.has(getFinishReason(candidate) ?? '')

/** The finish reason of an unfinished answer. */
const UNFINISHED = 'FINISH_REASON_UNSPECIFIED'

/** Returns Google's finish reason of a candidate; undefined if it has not ended. */
export const getFinishReason = (candidate: unknown): string | undefined => {
  const word = asText(getEitherSpelling(candidate, 'finishReason'))
  return word === UNFINISHED ? undefined : word
}

/** Was the candidate ended by Google's filter? */
export const isWithheld = (candidate: unknown): boolean =>
  finishReasons[getFinishReason(candidate) ?? ''] === 'content_filter'

/** The state of a candidate between chunks. */
interface Candidate {
  index: number
  calls: number
  partial: PartialCallAssembler
  textSoFar: StreamedText
  sources: ReturnType<typeof createSourceReader>
  searches: ReturnType<typeof createSearchReader>
}

function newCandidate(index: number): Candidate {
  const textSoFar = new StreamedText()
  return {
    index,
    calls: 0,
    partial: createPartialCalls(),
    textSoFar,
    sources: createSourceReader(textSoFar),
    searches: createSearchReader(),
  }
}

/** Returns a reader of the chunks of one answer. Finish reasons and usage may be repeated: the last one counts. */
export function createAnswerReader(): (chunk: JsonObject) => ModelEvent[] {
  const candidates = new Map<number, Candidate>()
  let started = false
  let id = ''
  const searches = createSearchCounter()

  function candidateAt(index: number): Candidate {
    const known = candidates.get(index) ?? newCandidate(index)
    candidates.set(index, known)
    return known
  }

  return (chunk) => {
    const chunkCandidates = asList(chunk.candidates) ?? []
    const failure = findChunkFailure(chunk) ?? (chunkCandidates.length === 0 ? findPromptBlock(chunk) : undefined)
    const usage = parseUsage(getEitherSpelling(chunk, 'usageMetadata'), searches(chunkCandidates))
    const counted: ModelEvent[] = usage ? [{ type: 'usage', usage }] : []
    if (failure) return [...counted, { type: 'failure', failure }]
    const events: ModelEvent[] = []
    if (!started) {
      started = true
      id = asText(getEitherSpelling(chunk, 'responseId')) ?? ''
      events.push(createStartEvent(chunk))
    }
    for (const [position, candidate] of chunkCandidates.entries()) {
      const known = candidateAt(asFiniteNumber(getEitherSpelling(candidate, 'index')) ?? position)
      events.push(...candidateEvents(candidate, known, id))
    }
    return [...events, ...counted]
  }
}

const createStartEvent = (chunk: JsonObject): ModelEvent => ({
  type: 'start',
  id: asText(getEitherSpelling(chunk, 'responseId')) ?? '',
  model: asText(getEitherSpelling(chunk, 'modelVersion')) ?? '',
  created: Math.trunc((Date.parse(asText(getEitherSpelling(chunk, 'createTime')) ?? '') || 0) / 1000),
})

function candidateEvents(candidate: unknown, known: Candidate, responseId: string): ModelEvent[] {
  const parts = getTurnParts(getEitherSpelling(candidate, 'content')).flatMap((part) =>
    partEvents(part, known, responseId),
  )
  const events = addTextLogprobs(parts, readLogProbabilities(candidate), known.index)
  for (const event of events) if (event.type === 'text') known.textSoFar.add(event.text)
  events.push(...known.sources(candidate).map((source) => ({ ...source, choice: known.index })))
  const word = getFinishReason(candidate)
  events.push(...known.searches(candidate, word !== undefined).map((search) => ({ ...search, choice: known.index })))
  if (word === undefined) return events
  const open = known.partial.rest()
  if (open) events.push(callEvent(open, known, responseId))
  const odd = ODD.has(word) ? { odd: true as const } : {}
  return [...events, { type: 'finish', reason: finishReasons[word] ?? 'stop', choice: known.index, ...odd }]
}

function partEvents(part: unknown, known: Candidate, responseId: string): ModelEvent[] {
  const choice = known.index
  if (getEitherSpelling(part, 'functionCall') !== undefined) {
    const calls = known.partial.takes(part) ? known.partial.take(part) : [readFunctionCall(part, () => '')]
    return calls.flatMap((call) => (call ? [callEvent(call, known, responseId)] : []))
  }
  const text = asText(getEitherSpelling(part, 'text')) ?? ''
  const signature = findPartSignature(part)
  const signed = signature ? { signature } : {}
  if (getEitherSpelling(part, 'thought') === true)
    return text || signature ? [{ type: 'reasoning', text, choice, ...signed }] : []
  // Other formats do not sign images and audio: the signature precedes them, as that of an empty text.
  const media = text ? [] : mediaEvents(part, choice)
  return text || signature ? [{ type: 'text', text, choice, ...signed }, ...media] : media
}

/** Ids must be unique in a whole conversation: if Google sends none, they are derived from the answer's id. */
function callEvent({ id, ...call }: Partial<ToolCall>, known: Candidate, responseId: string): ModelEvent {
  const index = known.calls++
  const own = responseId && `call_${responseId}_${known.index > 0 ? `${known.index}_` : ''}${index}`
  const named = id || own ? { id: id || own } : {}
  return { type: 'tool_call', index, choice: known.index, ...call, ...named, arguments: call.arguments ?? '{}' }
}

function mediaEvents(part: unknown, choice: number): ModelEvent[] {
  const blob = getBlob(part)
  if (blob?.type.startsWith('image/')) return [{ type: 'image', url: toDataUrl(blob), choice }]
  if (blob?.type.startsWith('audio/')) {
    return [{ type: 'audio', data: blob.data, format: toAudioFormat(blob.type), choice }]
  }
  const file = getEitherSpelling(part, 'fileData')
  const url = asText(getEitherSpelling(file, 'fileUri'))
  if (url && (asText(getEitherSpelling(file, 'mimeType')) ?? 'image/').startsWith('image/'))
    return [{ type: 'image', url, choice }]
  const text = formatExecutedCode(part)
  return text === undefined ? [] : [{ type: 'text', text, choice }]
}

export const getCandidates = (chunk: unknown): unknown[] => asList(getMember(asObject(chunk), 'candidates')) ?? []
