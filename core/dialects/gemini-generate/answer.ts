// What an answer says, chunk by chunk; a whole answer is one chunk.
import type { FinishReason, ModelEvent, ToolCall, Usage } from '../dialect.ts'
import { listIn, memberOf, numberIn, objectIn, textIn, type JsonObject } from '../json-value.ts'
import { textHash } from '../text-hash.ts'
import { readCall, signatureIn } from './call.ts'
import { codeText } from './contents.ts'
import { blockIn, failureInChunk } from './error.ts'
import { field } from './fields.ts'
import { partsIn } from './head.ts'
import { audioFormat, blobIn, dataUrl } from './media.ts'
import { createPartialCalls, type PartialCalls } from './partial-call.ts'
import { usageIn } from './usage.ts'

/** Google's words for the end of an answer; what is not listed ends it normally. */
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

/** Said where an answer has not ended. */
const UNFINISHED = 'FINISH_REASON_UNSPECIFIED'

/** Why a candidate ended, in Google's word; undefined where it has not. */
export const finishWord = (candidate: unknown): string | undefined => {
  const word = textIn(field(candidate, 'finishReason'))
  return word === UNFINISHED ? undefined : word
}

/** What is remembered of a candidate from chunk to chunk. */
interface Candidate {
  index: number
  calls: number
  partial: PartialCalls
  cited: Set<string>
}

/** Reads the chunks of one answer. Finish reasons and usage may be said several times: the last counts. */
export function createAnswerReader(): (chunk: JsonObject) => ModelEvent[] {
  const candidates = new Map<number, Candidate>()
  let started = false
  let id = ''
  let searches: Usage['calls']

  function candidateAt(index: number): Candidate {
    const known = candidates.get(index) ?? { index, calls: 0, partial: createPartialCalls(), cited: new Set<string>() }
    candidates.set(index, known)
    return known
  }

  return (chunk) => {
    const said = listIn(chunk.candidates) ?? []
    const failure = failureInChunk(chunk) ?? (said.length === 0 ? blockIn(chunk) : undefined)
    if (failure) return [{ type: 'failure', failure }]
    const events: ModelEvent[] = []
    if (!started) {
      started = true
      id = textIn(field(chunk, 'responseId')) ?? ''
      events.push(startOf(chunk))
    }
    for (const [position, candidate] of said.entries()) {
      const known = candidateAt(numberIn(field(candidate, 'index')) ?? position)
      events.push(...candidateEvents(candidate, known, id))
      if (isSearched(candidate)) searches = { google_search: 1 }
    }
    const usage = usageIn(field(chunk, 'usageMetadata'), searches)
    return usage ? [...events, { type: 'usage', usage }] : events
  }
}

const startOf = (chunk: JsonObject): ModelEvent => ({
  type: 'start',
  id: textIn(field(chunk, 'responseId')) ?? '',
  model: textIn(field(chunk, 'modelVersion')) ?? '',
  created: Math.trunc((Date.parse(textIn(field(chunk, 'createTime')) ?? '') || 0) / 1000),
})

/** Did Google search the web for it? (billing reference, section 4) */
export const isSearched = (candidate: unknown): boolean =>
  (listIn(field(field(candidate, 'groundingMetadata'), 'webSearchQueries')) ?? []).length > 0

function candidateEvents(candidate: unknown, known: Candidate, responseId: string): ModelEvent[] {
  const events = partsIn(field(candidate, 'content')).flatMap((part) => partEvents(part, known, responseId))
  events.push(...citations(candidate, known))
  const word = finishWord(candidate)
  if (word === undefined) return events
  const open = known.partial.rest()
  if (open) events.push(callEvent(open, known, responseId))
  const reason = finishReasons[word] ?? (known.calls > 0 ? 'tool_calls' : 'stop')
  return [...events, { type: 'finish', reason, choice: known.index }]
}

function partEvents(part: unknown, known: Candidate, responseId: string): ModelEvent[] {
  const choice = known.index
  if (field(part, 'functionCall') !== undefined) {
    const call = known.partial.takes(part) ? known.partial.take(part) : readCall(part, () => '')
    return call ? [callEvent(call, known, responseId)] : []
  }
  const text = textIn(field(part, 'text')) ?? ''
  const signature = signatureIn(part)
  const signed = signature ? { signature } : {}
  if (field(part, 'thought') === true) return text || signature ? [{ type: 'reasoning', text, choice, ...signed }] : []
  const events: ModelEvent[] = text ? [{ type: 'text', text, choice }] : mediaEvents(part, choice)
  // A signature beside plain words is of the thought that led to them.
  return signature ? [...events, { type: 'reasoning', text: '', choice, signature }] : events
}

/** Ids have to differ over a whole conversation, where Google gives none. */
function callEvent({ id, ...call }: Partial<ToolCall>, known: Candidate, responseId: string): ModelEvent {
  const index = known.calls++
  const text = call.arguments ?? '{}'
  const own = `call_${responseId || textHash(call.name ?? '', text).toString(36)}_${known.index > 0 ? `${known.index}_` : ''}${index}`
  return { type: 'tool_call', index, choice: known.index, ...call, id: id || own, arguments: text }
}

function mediaEvents(part: unknown, choice: number): ModelEvent[] {
  const blob = blobIn(part)
  if (blob?.type.startsWith('image/')) return [{ type: 'image', url: dataUrl(blob), choice }]
  if (blob?.type.startsWith('audio/')) {
    return [{ type: 'audio', data: blob.data, format: audioFormat(blob.type), choice }]
  }
  const file = field(part, 'fileData')
  const url = textIn(field(file, 'fileUri'))
  if (url && (textIn(field(file, 'mimeType')) ?? 'image/').startsWith('image/')) return [{ type: 'image', url, choice }]
  const text = codeText(part)
  return text === undefined ? [] : [{ type: 'text', text, choice }]
}

/** Sources of the answer, each once: they are told again in later chunks. */
function citations(candidate: unknown, { cited, index: choice }: Candidate): ModelEvent[] {
  const grounding = listIn(field(field(candidate, 'groundingMetadata'), 'groundingChunks')) ?? []
  const quoted = field(candidate, 'citationMetadata')
  const sources = [
    ...grounding.map((chunk) => field(chunk, 'web') ?? field(chunk, 'maps') ?? field(chunk, 'retrievedContext')),
    ...(listIn(field(quoted, 'citationSources')) ?? listIn(field(quoted, 'citations')) ?? []),
  ]
  return sources.flatMap((source): ModelEvent[] => {
    const url = textIn(field(source, 'uri'))
    const title = textIn(field(source, 'title'))
    if (!url || cited.has(url)) return []
    cited.add(url)
    return [{ type: 'citation', url, ...(title ? { title } : {}), choice }]
  })
}

/** The candidates of a chunk. */
export const candidatesIn = (chunk: unknown): unknown[] => listIn(memberOf(objectIn(chunk), 'candidates')) ?? []
