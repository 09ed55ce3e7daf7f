// The common parts of formats that only a provider uses: half a dialect, built from the few functions that differ.
import type { ContentPart, Message, ModelRequest } from '../model-request.ts'
import type { FinishReason, ModelEvent } from '../answers/model-event.ts'
import type { ProviderDialect } from '../dialect.ts'
import type { SseFrame } from '../answers/frames.ts'
import { estimateEventTokens } from '../requests/head.ts'
import { ALL_COUNTS_INSIDE } from '../answers/usage.ts'
import { isEmptyAnswer } from '../answers/event-content.ts'
import { asFiniteNumber, asObject, parseJson, asText, type JsonObject } from '../json/json-value.ts'
import { withFormatInWords } from '../json-schema/words.ts'
import { readErrorReply } from '../openai-chat/error.ts'
import { parseTokenCount } from '../openai-chat/usage.ts'
import { buildKnownUsage } from '../passing.ts'
import { setTopFields } from '../requests/patch.ts'
import { redactSecrets } from '../answers/redact.ts'
import { placeSystemTurns, CONVERTED_SYSTEM_MESSAGES } from '../requests/system-turns.ts'
import { createCallAssembler, type UnassembledEvent } from '../tool-calls/assembler.ts'

type ProviderFormat = Pick<ProviderDialect, 'name' | 'writeModelRequest'> &
  Partial<Omit<ProviderDialect, 'reader' | 'readWholeReply'>> & {
    reader(): (frame: SseFrame) => UnassembledEvent[]
    readWholeReply(body: Uint8Array): UnassembledEvent[]
  }

/** Creates a provider's proprietary format. `readReply` also reads a whole answer that is an error. */
export const createProviderDialect = (own: ProviderFormat): ProviderDialect => ({
  operation: 'chat',
  // Only used for requests that were written here, which already have the model.
  patchRequestBody(body, { override }) {
    const { stream: _, ...fields } = override
    return setTopFields(body, fields)
  },
  readAnswerReport(body) {
    const events = own.readWholeReply(body)
    const usage = events.findLast((event) => event.type === 'usage')?.usage
    return { failure: undefined, usage, isEmpty: () => isEmptyAnswer(events) }
  },
  readErrorReply,
  usageKeys: ['usage'],
  buckets: ALL_COUNTS_INSIDE,
  estimateOutputTokens: (body) =>
    Math.ceil(own.readWholeReply(body).reduce((sum, event) => sum + estimateEventTokens(event), 0)),
  ...own,
  reader() {
    const read = own.reader()
    const assembled = createCallAssembler()
    return (frame) => read(frame).flatMap(assembled)
  },
  readWholeReply: (body) => own.readWholeReply(body).flatMap(createCallAssembler()),
  // None of these formats has a JSON mode, or accepts system messages inside a conversation.
  writeModelRequest(request) {
    const { messages, isConverted } = placeSystemTurns(request.messages, false)
    const { body, dropped } = own.writeModelRequest(withFormatInWords({ ...request, messages }))
    return { body, dropped: isConverted ? [...dropped, CONVERTED_SYSTEM_MESSAGES] : dropped }
  },
})

interface Chunks {
  findFailure(chunk: JsonObject): ModelEvent | undefined
  /** Returns the usage that a chunk reports, even one that fails. */
  used?(chunk: JsonObject): ModelEvent[]
  /** Returns the start event of the first chunk that is not a failure. */
  start(chunk: JsonObject): ModelEvent
  say(chunk: JsonObject): UnassembledEvent[]
}

/** Creates a reader of a stream whose frames are JSON objects; `[DONE]`, if any, is its end. */
export function createStreamReader({
  findFailure,
  used = () => [],
  start,
  say,
}: Chunks): (frame: { data: string }) => UnassembledEvent[] {
  let started = false
  return ({ data }) => {
    const chunk = asObject(parseJson(data))
    if (!chunk) return data.trim() === '[DONE]' ? [{ type: 'end' }] : []
    const failure = findFailure(chunk)
    if (failure) return [...used(chunk), failure]
    const opening = started ? [] : [start(chunk)]
    started = true
    return [...opening, ...used(chunk), ...say(chunk)]
  }
}

/** Neutral fields that every such format supports or handles elsewhere. */
const COMMON_FIELDS: readonly (keyof ModelRequest)[] = [
  'dialect',
  'model',
  'requestedModel',
  'stream',
  'messages',
  'extra',
  'lost',
  'storesAnswer',
  'system_first',
  'vendorData',
]

/**
 * Returns the names of the request fields that a format does not support. `words` are the neutral names of those that
 * it does.
 */
export function listUnsupportedFields(request: ModelRequest, words: readonly (keyof ModelRequest)[]): string[] {
  const known = new Set<string>([...COMMON_FIELDS, ...words])
  const fields = Object.entries(request).filter(([name, value]) => value !== undefined && !known.has(name))
  return [...fields.map(([name]) => name), ...Object.keys(request.extra)]
}

export const joinTextParts = (content: readonly ContentPart[], between = '\n'): string =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(between)

/**
 * Returns the parts of a message other than text, by the names that callers know, including its name, its reasoning and
 * its tool calls.
 */
export function listNonTextParts({ role, content, name, tool_calls, reasoning, failed }: Message): string[] {
  const parts = content.flatMap(({ type }) => (type === 'text' ? [] : [type === 'image' ? 'image_url' : type]))
  return [
    ...parts,
    ...(name !== undefined && role !== 'tool' ? ['messages.name'] : []),
    ...(tool_calls?.length ? ['tool_calls'] : []),
    ...(reasoning?.length ? ['reasoning_content'] : []),
    ...(failed ? ['tool_result.is_error'] : []),
  ]
}

/** Merges neighbors of one side, without empty ones, for formats whose sides must alternate. */
export function mergeNeighborTurns(messages: readonly Message[]): { role: 'user' | 'assistant'; text: string }[] {
  const turns: { role: 'user' | 'assistant'; text: string }[] = []
  for (const { role, content } of messages) {
    if (role === 'system') continue
    const side = role === 'assistant' ? 'assistant' : 'user'
    const text = joinTextParts(content)
    const last = turns.at(-1)
    if (last?.role === side) last.text += text === '' ? '' : `\n${text}`
    else if (text !== '') turns.push({ role: side, text })
  }
  return turns
}

/** Moves the system prompt before the first user text, for formats without a field for it. */
export function moveSystemPrompt(messages: readonly Message[]): Message[] {
  const system = getSystemPrompt(messages)
  const others = messages.filter(({ role }) => role !== 'system')
  if (system === '') return others
  const first = others.findIndex(({ role }) => role === 'user')
  const text: ContentPart = { type: 'text', text: system }
  if (first < 0) return [{ role: 'user', content: [text] }, ...others]
  return others.map((message, at) => (at === first ? { ...message, content: [text, ...message.content] } : message))
}

/** Returns the system prompt, all of which is before the first turn. */
export const getSystemPrompt = (messages: readonly Message[]): string =>
  messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => joinTextParts(content))
    .join('\n')

/** Returns the text of an answer as an event, if any. */
export const buildTextEvents = (text: unknown, type: 'text' | 'reasoning' | 'refusal' = 'text'): ModelEvent[] =>
  typeof text === 'string' && text !== '' ? [{ type, text, choice: 0 }] : []

/** Returns the start event. `created` is in epoch seconds, 0 if not reported. */
export const startEvent = (id: unknown, created?: unknown, model?: unknown): ModelEvent => ({
  type: 'start',
  id: asText(id) ?? '',
  model: asText(model) ?? '',
  created: Math.trunc(asFiniteNumber(created) ?? 0),
})

export const finishEvent = (reason: FinishReason = 'stop'): ModelEvent => ({ type: 'finish', reason, choice: 0 })

/** Message of an answer that cannot be parsed. */
export const UNREADABLE_ANSWER = 'The upstream sent an answer that cannot be read'

export const buildFailureEvent = (
  status: number,
  message: unknown,
  code: string | number | null = null,
): ModelEvent => ({
  type: 'failure',
  failure: {
    status,
    message: redactSecrets(asText(message) ?? `bad response status code ${status}`),
    type: 'upstream_error',
    code,
    param: null,
    source: 'upstream',
  },
})

/** Returns the input and output tokens as an event; none if nothing was counted. */
export const buildUsageEvents = (input: unknown, output: unknown): ModelEvent[] =>
  parseTokenCount(input) + parseTokenCount(output) > 0
    ? [{ type: 'usage', usage: buildKnownUsage({ input: parseTokenCount(input), output: parseTokenCount(output) }) }]
    : []
