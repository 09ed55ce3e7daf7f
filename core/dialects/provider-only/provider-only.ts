// What the formats that only a provider speaks have in common: half a dialect, made of the few things each does its own way.
import type { ContentPart, Message, ModelRequest } from '../model-request.ts'
import type { FinishReason, ModelEvent } from '../model-event.ts'
import type { ProviderDialect } from '../dialect.ts'
import type { Frame } from '../frame.ts'
import { isEmptyAnswer } from '../answered.ts'
import { eventTokens } from '../estimate.ts'
import { asNumber, asObject, parsed, asText, type JsonObject } from '../json-value.ts'
import { withFormatInWords } from '../json-schema/words.ts'
import { readError } from '../openai-chat/error.ts'
import { ALL_INSIDE } from '../buckets.ts'
import { countIn } from '../openai-chat/usage.ts'
import { knownUsage } from '../passing.ts'
import { withFields } from '../patch.ts'
import { redact } from '../redact.ts'
import { placeSystemTurns, RETOLD } from '../system-turns.ts'
import { createCallAssembler, type HeardEvent } from '../tool-calls/assembler.ts'

type Own = Pick<ProviderDialect, 'name' | 'writeRequest'> &
  Partial<Omit<ProviderDialect, 'reader' | 'readReply'>> & {
    reader(): (frame: Frame) => HeardEvent[]
    readReply(body: Uint8Array): HeardEvent[]
  }

/** A format of a provider's own. A whole answer that is an error is read as one by `readReply`. */
export const providerOnly = (own: Own): ProviderDialect => ({
  operation: 'chat',
  // Only ever of a request that was written here: the model is in it already.
  patchRequest(body, { override }) {
    const { stream: _, ...fields } = override
    return withFields(body, fields)
  },
  readWhole(body) {
    const events = own.readReply(body)
    const usage = events.findLast((event) => event.type === 'usage')?.usage
    return { failure: undefined, usage, isEmpty: () => isEmptyAnswer(events) }
  },
  readError,
  usageKeys: ['usage'],
  buckets: ALL_INSIDE,
  outputEstimate: (body) => Math.ceil(own.readReply(body).reduce((sum, event) => sum + eventTokens(event), 0)),
  ...own,
  reader() {
    const read = own.reader()
    const assembled = createCallAssembler()
    return (frame) => read(frame).flatMap(assembled)
  },
  readReply: (body) => own.readReply(body).flatMap(createCallAssembler()),
  // None of them has a switch for JSON, or takes words of the system inside a conversation.
  writeRequest(request) {
    const { messages, retold } = placeSystemTurns(request.messages, false)
    const { body, dropped } = own.writeRequest(withFormatInWords({ ...request, messages }))
    return { body, dropped: retold ? [...dropped, RETOLD] : dropped }
  },
})

interface Chunks {
  failureIn(chunk: JsonObject): ModelEvent | undefined
  /** What any chunk reports, also one that fails. */
  used?(chunk: JsonObject): ModelEvent[]
  /** Of the first chunk that is no failure. */
  start(chunk: JsonObject): ModelEvent
  say(chunk: JsonObject): HeardEvent[]
}

/** Reads one stream whose frames are JSON objects; `[DONE]`, where there is one, is its end. */
export function createStreamReader({
  failureIn,
  used = () => [],
  start,
  say,
}: Chunks): (frame: { data: string }) => HeardEvent[] {
  let started = false
  return ({ data }) => {
    const chunk = asObject(parsed(data))
    if (!chunk) return data.trim() === '[DONE]' ? [{ type: 'end' }] : []
    const failure = failureIn(chunk)
    if (failure) return [...used(chunk), failure]
    const opening = started ? [] : [start(chunk)]
    started = true
    return [...opening, ...used(chunk), ...say(chunk)]
  }
}

/** What every such format says of a request, or has an answer for. */
const SAID = ['asked', 'dialect', 'model', 'stream', 'messages', 'extra', 'lost', 'kept', 'keeps']

/** The names of a request's fields that a format has no word for. `words` are the neutral names of those it has. */
export function listUnsupportedFields(request: ModelRequest, words: readonly (keyof ModelRequest)[]): string[] {
  const known = new Set<string>([...SAID, ...words])
  const fields = Object.entries(request).filter(([name, value]) => value !== undefined && !known.has(name))
  return [...fields.map(([name]) => name), ...Object.keys(request.extra)]
}

export const partsText = (content: readonly ContentPart[], between = '\n'): string =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(between)

/**
 * What is no text in a message, by the name callers know it by; who says it and what was thought; and the calls of tools
 * where a format has none.
 */
export function beyondText({ role, content, name, tool_calls, reasoning, failed }: Message): string[] {
  const parts = content.flatMap(({ type }) => (type === 'text' ? [] : [type === 'image' ? 'image_url' : type]))
  return [
    ...parts,
    ...(name !== undefined && role !== 'tool' ? ['messages.name'] : []),
    ...(tool_calls?.length ? ['tool_calls'] : []),
    ...(reasoning?.length ? ['reasoning_content'] : []),
    ...(failed ? ['tool_result.is_error'] : []),
  ]
}

/** Conversations whose sides must take turns: neighbours of one side become one, without what is empty. */
export function mergeTurns(messages: readonly Message[]): { role: 'user' | 'assistant'; text: string }[] {
  const turns: { role: 'user' | 'assistant'; text: string }[] = []
  for (const { role, content } of messages) {
    if (role === 'system') continue
    const side = role === 'assistant' ? 'assistant' : 'user'
    const text = partsText(content)
    const last = turns.at(-1)
    if (last?.role === side) last.text += text === '' ? '' : `\n${text}`
    else if (text !== '') turns.push({ role: side, text })
  }
  return turns
}

/** The words of the system before the first of the user, where a format has no place for them. */
export function withSystem(messages: readonly Message[]): Message[] {
  const system = systemOf(messages)
  const others = messages.filter(({ role }) => role !== 'system')
  if (system === '') return others
  const first = others.findIndex(({ role }) => role === 'user')
  const text: ContentPart = { type: 'text', text: system }
  if (first < 0) return [{ role: 'user', content: [text] }, ...others]
  return others.map((message, at) => (at === first ? { ...message, content: [text, ...message.content] } : message))
}

/** The words of the system, all of which stand before the first turn. */
export const systemOf = (messages: readonly Message[]): string =>
  messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => partsText(content))
    .join('\n')

/** Words that an answer says, where there are any. */
export const saidEvents = (text: unknown, type: 'text' | 'reasoning' | 'refusal' = 'text'): ModelEvent[] =>
  typeof text === 'string' && text !== '' ? [{ type, text, choice: 0 }] : []

/** Where an answer begins. `created` in epoch seconds, 0 where it is not told. */
export const startEvent = (id: unknown, created?: unknown, model?: unknown): ModelEvent => ({
  type: 'start',
  id: asText(id) ?? '',
  model: asText(model) ?? '',
  created: Math.trunc(asNumber(created) ?? 0),
})

export const finished = (reason: FinishReason = 'stop'): ModelEvent => ({ type: 'finish', reason, choice: 0 })

/** An answer that nobody can read. */
export const UNREADABLE = 'The upstream sent an answer that cannot be read'

export const failed = (status: number, message: unknown, code: string | number | null = null): ModelEvent => ({
  type: 'failure',
  failure: {
    status,
    message: redact(asText(message) ?? `bad response status code ${status}`),
    type: 'upstream_error',
    code,
    param: null,
    source: 'upstream',
  },
})

/** Counts of input and output as an event; none where nothing was counted. */
export const usageEvents = (input: unknown, output: unknown): ModelEvent[] =>
  countIn(input) + countIn(output) > 0
    ? [{ type: 'usage', usage: knownUsage({ input: countIn(input), output: countIn(output) }) }]
    : []
