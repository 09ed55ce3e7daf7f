// The sandbox's answers: bytes of the openai-chat format, with the requested delays and failures.
import type { CallFailure } from '../../dialects/answers/call-failure.ts'
import { encodeFrame } from '../../dialects/answers/frames.ts'
import type { ModelEvent } from '../../dialects/answers/model-event.ts'
import type { Usage } from '../../dialects/answers/usage.ts'
import type { CallerDialect, PassthroughDialect } from '../../dialects/dialect.ts'
import { joinParts, toJsonBytes } from '../../dialects/json/json-bytes.ts'
import type { JsonObject } from '../../dialects/json/json-value.ts'
import {
  asList,
  asObject,
  asText,
  getMember,
  parseJson,
  parseJsonBytes,
  asFiniteNumber,
} from '../../dialects/json/json-value.ts'
import { estimatePromptTokens } from '../../dialects/openai-chat/head.ts'
import { openaiChat } from '../../dialects/openai-chat/index.ts'
import { estimateTextTokens, type RequestHead } from '../../dialects/requests/head.ts'
import { fail, GatewayError } from '../../errors.ts'
import type { Clock, AbortSignalLike } from '../../ports/clock.ts'
import type { UpstreamReply, UpstreamRequest } from '../../ports/upstream.ts'
import type { ChannelForProvider } from '../channel-for-provider.ts'
import { answerTaskRequest } from './tasks.ts'
import {
  buildPlainAnswer,
  generateAnswerWords,
  generateTokenText,
  hashTextToNumber,
  SANDBOX_LABEL,
  splitPieces,
} from './text.ts'

// The options of the sandbox: `[[name=value]]` in the last user message, over `sandbox` in the channel's setting.

interface SandboxSwitches {
  /** Wait before the first byte, in ms. */
  latency: number
  /** Wait between chunks, in ms. */
  gap: number
  /** Number of chunks the text comes in. */
  chunks?: number
  /** Length of the answer in tokens, or in words of text. */
  tokens?: number
  words?: number
  /** Answer with this error status. */
  status?: number
  /** Number of content chunks after which the stream is cut off. */
  cut?: number
  /** Never answer. */
  silent: boolean
  /** Call a tool: true for the first one declared, or its name. */
  tool?: string | true
  usage: boolean
  reasoning: boolean
}

/** Most chunks, tokens or words of one answer: enough for a load test, not enough to exhaust memory. */
const MOST = 100_000
/** Longest wait, in ms: ten minutes. */
const LONGEST = 600_000

const inText = /\[\[\s*([a-z]+)\s*(?:=\s*([^\]]*?)\s*)?\]\]/gi

/** Text of a message's content. */
const getMessageText = (message: unknown): string => {
  const content = getMember(message, 'content')
  if (typeof content === 'string') return content
  return (asList(content) ?? []).map((part) => getMember(part, 'text') ?? '').join('')
}

/** Returns the text without its switches. */
const removeSandboxSwitches = (text: string): string => text.replace(inText, '').trim()

/** @param setting the channel's `setting`, parsed */
function parseSwitches(setting: JsonObject, prompt: string): SandboxSwitches {
  const given: JsonObject = { ...asObject(setting.sandbox) }
  for (const [, name, value] of prompt.matchAll(inText)) given[name!.toLowerCase()] = value ?? 'on'
  const status = count(given.status, 599)
  return {
    latency: count(given.latency, LONGEST) ?? 0,
    gap: count(given.gap, LONGEST) ?? 0,
    chunks: count(given.chunks, MOST),
    tokens: count(given.tokens, MOST),
    words: count(given.words, MOST),
    status: status !== undefined && status >= 400 ? status : undefined,
    cut: count(given.cut, MOST),
    silent: isOn(given.silent),
    tool: isOff(given.tool) ? undefined : isOn(given.tool) ? true : String(given.tool),
    usage: given.usage === undefined || !isOff(given.usage),
    reasoning: isOn(given.reasoning),
  }
}

const isOn = (value: unknown): boolean =>
  value === true || value === 'on' || value === 'true' || value === '1' || value === 1
const isOff = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === 'off' ||
  value === 'false' ||
  value === '' ||
  value === '0'

/** A whole number from 0 to `most`; undefined for anything else. */
function count(value: unknown, most: number): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? Math.min(number, most) : undefined
}

// The sandbox's answers other than chat: vectors, verdicts, rankings and pictures computed from the request alone.

const DIMENSIONS = 16
const MOST_DIMENSIONS = 4096
const MOST_IMAGES = 10
/** One grey pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='

/** The answer to a request in that dialect; undefined for what it has no answer to. */
function findPlainAnswer(dialect: PassthroughDialect, request: JsonObject, body: Uint8Array): JsonObject | undefined {
  const { prompt_estimate } = dialect.readRequestHead(body)
  const usage = { prompt_tokens: prompt_estimate, total_tokens: prompt_estimate }
  const model = request.model
  switch (dialect.operation) {
    case 'embeddings':
      return {
        object: 'list',
        data: listInputs(request.input).map((text, index) => vectorFor(text, index, request)),
        model,
        usage,
      }
    case 'moderation':
      return { id: 'modr-sandbox', model, results: listInputs(request.input).map(() => verdict) }
    case 'rerank':
      return { id: 'rerank-sandbox', model, results: ranked(request), usage }
    case 'images':
      return { created: 0, data: Array.from({ length: imagesAsked(request) }, () => ({ b64_json: PICTURE })) }
    default:
      return undefined
  }
}

const verdict = { flagged: false, categories: {}, category_scores: {} }

/** A list of numbers is one text in tokens. */
const listInputs = (input: unknown): unknown[] => {
  const list = asList(input)
  return list && asFiniteNumber(list[0]) === undefined ? list : [input]
}

/** Equal texts, equal vectors of length 1. */
function vectorFor(text: unknown, index: number, request: JsonObject) {
  const size = Math.min(Math.max(asFiniteNumber(request.dimensions) ?? DIMENSIONS, 1), MOST_DIMENSIONS)
  const seed = JSON.stringify(text)
  const raw = Array.from({ length: size }, (_, at) => hashTextToNumber(`${at} ${seed}`) / 2 ** 31 - 1)
  const length = Math.hypot(...raw) || 1
  const vector = Float32Array.from(raw, (value) => value / length)
  const embedding = request.encoding_format === 'base64' ? base64(vector) : [...vector]
  return { object: 'embedding', index, embedding }
}

const base64 = (vector: Float32Array): string => btoa(String.fromCharCode(...new Uint8Array(vector.buffer)))

/** Most words in common first; of equals the one that came first. */
function ranked({ query, documents, top_n }: JsonObject) {
  const words = new Set(splitWords(query))
  const results = (asList(documents) ?? []).map((document, index) => {
    const found = splitWords(asText(document) ?? getMember(document, 'text'))
    const common = found.filter((word) => words.has(word)).length
    return { index, relevance_score: found.length === 0 ? 0 : common / found.length }
  })
  results.sort((a, b) => b.relevance_score - a.relevance_score || a.index - b.index)
  return results.slice(0, asFiniteNumber(top_n) ?? results.length)
}

const splitWords = (text: unknown): string[] =>
  String(text ?? '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

const imagesAsked = ({ n }: JsonObject): number => Math.min(Math.max(asFiniteNumber(n) ?? 1, 1), MOST_IMAGES)

// Arguments for a tool call, made up from the tool's JSON schema.

/** Schemas may point at themselves. */
const DEEPEST = 6

/** Returns a simple value that the schema allows: the declared one if there is one, else a plain one. */
function buildSample(schema: unknown, depth = 0): unknown {
  const rules = asObject(schema) ?? {}
  for (const value of [rules.const, rules.default, asList(rules.enum)?.[0], asList(rules.examples)?.[0]]) {
    if (value !== undefined) return value
  }
  const first = asList(rules.anyOf)?.[0] ?? asList(rules.oneOf)?.[0]
  if (first !== undefined && depth < DEEPEST) return buildSample(first, depth + 1)
  switch (asList(rules.type)?.[0] ?? rules.type) {
    case 'string':
      return 'sandbox'
    case 'integer':
    case 'number':
      return typeof rules.minimum === 'number' ? rules.minimum : 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'array':
      return depth < DEEPEST && rules.items !== undefined ? [buildSample(rules.items, depth + 1)] : []
    default:
      return buildObject(rules, depth)
  }
}

function buildObject(rules: JsonObject, depth: number): JsonObject {
  const properties = asObject(rules.properties)
  if (!properties || depth >= DEEPEST) return {}
  return Object.fromEntries(
    Object.keys(properties).map((key) => [key, buildSample(getMember(properties, key), depth + 1)]),
  )
}

/** Maximum delay of a timer, in ms. */
const LONGEST_TIMER = 2 ** 31 - 1

/** Follows the contract of the upstream port: waits end with the signal, and a timeout is `upstream.silent`. */
export async function answerSandboxRequest(
  request: UpstreamRequest,
  channel: ChannelForProvider,
  clock: Clock,
  signal: AbortSignalLike,
  dialect: CallerDialect = openaiChat,
): Promise<UpstreamReply> {
  const task = answerTaskRequest(request, clock)
  if (task) return task
  const body = joinParts(request.body ?? [])
  const requestBody = asObject(parseJsonBytes(body)) ?? {}
  const prompt =
    getMessageText(lastUserMessage(requestBody)) ||
    [requestBody.input, requestBody.prompt, requestBody.query].map(asText).join('')
  const switches = parseSwitches(asObject(parseJson(channel.setting)) ?? {}, prompt)
  const wait = async (ms: number, limit: number) => {
    if (signal.aborted) throw signal.reason
    const most = limit > 0 ? Math.min(limit, LONGEST_TIMER) : LONGEST_TIMER
    if (ms > 0) await clock.sleep(Math.min(ms, most), signal)
    if (ms > most) fail('upstream.silent', { seconds: Math.round(most / 1000) })
  }

  await wait(switches.silent ? Infinity : switches.latency, request.headers_timeout_ms)
  if (switches.status !== undefined) return refuse(statusFailure(switches.status))
  let head: RequestHead
  try {
    if (dialect.operation !== 'chat') {
      const plain = findPlainAnswer(dialect, requestBody, body)
      return plain ? jsonReply(plain) : refuse(statusFailure(501))
    }
    head = openaiChat.readRequestHead(body)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return refuse({ ...statusFailure(400), message: `${SANDBOX_LABEL} ${error.message}` })
  }
  const events = eventsFor(requestBody, head, switches, removeSandboxSwitches(prompt), Math.floor(clock.now() / 1000))
  const pause = () => wait(switches.gap, request.idle_timeout_ms)
  return head.stream
    ? { status: 200, headers: { 'content-type': 'text/event-stream' }, body: streamed(events, head, switches, pause) }
    : { status: 200, headers: { 'content-type': 'application/json' }, body: whole(events, switches) }
}

const lastUserMessage = (requestBody: JsonObject): unknown =>
  (asList(requestBody.messages) ?? []).findLast((message) => getMember(message, 'role') === 'user')

const statusFailure = (status: number): CallFailure => ({
  status,
  message: `${SANDBOX_LABEL} status ${status}, as asked for`,
  type: status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error',
  code: status === 429 ? 'rate_limit_exceeded' : null,
  param: null,
  source: 'upstream',
})

function refuse(failure: CallFailure): UpstreamReply {
  const headers = { 'content-type': 'application/json', ...(failure.status === 429 ? { 'retry-after': '1' } : {}) }
  return { status: failure.status, headers, body: single(openaiChat.writeErrorReply(failure)) }
}

const jsonReply = (answer: JsonObject): UpstreamReply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: single(toJsonBytes(answer)),
})

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function* whole(events: ModelEvent[], { cut }: SandboxSwitches): AsyncGenerator<Uint8Array> {
  const bytes = openaiChat.writeWholeReply(events)
  yield cut === undefined ? bytes : bytes.subarray(0, bytes.length / 2)
  if (cut !== undefined) fail('upstream.broken', {}, { detail: 'the sandbox was asked to break off' })
}

const isContent = ({ type }: ModelEvent) => type === 'text' || type === 'reasoning' || type === 'tool_call'

async function* streamed(
  events: ModelEvent[],
  head: RequestHead,
  { cut }: SandboxSwitches,
  pause: () => Promise<void>,
) {
  const write = openaiChat.writer(head)
  let sent = 0
  for (const event of events) {
    if (isContent(event)) {
      if (sent === cut)
        fail('upstream.broken', {}, { detail: `the sandbox was asked to break off after ${cut} chunks` })
      if (sent++ > 0) await pause()
    } else if (event.type !== 'start' && cut !== undefined && sent <= cut) {
      fail('upstream.broken', {}, { detail: 'the sandbox was asked to break off' })
    }
    for (const frame of write(event)) yield encodeFrame(frame)
  }
}

/** Returns the events of the whole answer. Ids depend on the request alone. */
function eventsFor(
  requestBody: JsonObject,
  head: RequestHead,
  switches: SandboxSwitches,
  prompt: string,
  created: number,
): ModelEvent[] {
  const seed = hashTextToNumber(JSON.stringify([requestBody.model, requestBody.messages]))
  const id = seed.toString(16).padStart(8, '0')
  const reasoning = switches.reasoning ? `${SANDBOX_LABEL} thinking about: ${prompt.slice(0, 80)}` : ''
  const call = callFor(requestBody, switches)
  const full = call ? '' : textFor(switches, seed, prompt)
  const room = head.max_tokens ? Math.max(1, head.max_tokens) * 4 : Infinity
  const text = full.length > room ? full.slice(0, room) : full

  const events: ModelEvent[] = [{ type: 'start', id: `chatcmpl-sandbox-${id}`, model: head.model, created }]
  for (const piece of splitPieces(reasoning)) events.push({ type: 'reasoning', text: piece, choice: 0 })
  if (call) events.push({ type: 'tool_call', index: 0, choice: 0, id: `call_sandbox_${id}`, ...call })
  for (const piece of splitPieces(text, switches.chunks)) events.push({ type: 'text', text: piece, choice: 0 })
  events.push({ type: 'finish', reason: call ? 'tool_calls' : text === full ? 'stop' : 'length', choice: 0 })
  if (switches.usage) events.push({ type: 'usage', usage: usageFor(requestBody, text, reasoning, call) })
  return [...events, { type: 'end' }]
}

function textFor({ tokens, words, chunks }: SandboxSwitches, seed: number, prompt: string): string {
  if (tokens !== undefined) return generateTokenText(seed, tokens)
  // Asked for more chunks than the plain answer has letters: a word for each.
  const plain = buildPlainAnswer(prompt)
  if (words === undefined && (chunks === undefined || chunks <= plain.length)) return plain
  return generateAnswerWords(seed, words ?? chunks ?? 0)
}

interface SandboxToolCall {
  name: string
  arguments: string
}

/** The tool call to make: by switch or because the request demands one, but not again once a tool has answered. */
function callFor(requestBody: JsonObject, { tool }: SandboxSwitches): SandboxToolCall | undefined {
  const messages = asList(requestBody.messages) ?? []
  const last = messages.lastIndexOf(lastUserMessage(requestBody))
  if (messages.slice(last + 1).some((message) => getMember(message, 'role') === 'tool')) return undefined
  const choice = requestBody.tool_choice
  const requestedTool =
    tool ?? asText(getMember(getMember(choice, 'function'), 'name')) ?? (choice === 'required' ? true : undefined)
  if (requestedTool === undefined) return undefined
  const declared = (asList(requestBody.tools) ?? []).map((one) => asObject(getMember(one, 'function')) ?? {})
  const found = requestedTool === true ? declared[0] : declared.find((one) => one.name === requestedTool)
  const name = asText(found?.name) ?? (requestedTool === true ? undefined : requestedTool)
  return name === undefined ? undefined : { name, arguments: JSON.stringify(buildSample(found?.parameters ?? {})) }
}

/** Counts the usage from the output, by the rough count that estimates prompts. */
function usageFor(requestBody: JsonObject, text: string, reasoning: string, call: SandboxToolCall | undefined): Usage {
  const thought = Math.ceil(estimateTextTokens(reasoning))
  const outputTokens = Math.ceil(
    estimateTextTokens(text) + (call ? estimateTextTokens(call.name) + estimateTextTokens(call.arguments) : 0),
  )
  return {
    input: estimatePromptTokens(requestBody),
    cache_read: 0,
    cache_write: 0,
    cache_write_1h: 0,
    output: thought + outputTokens,
    reasoning: thought,
    source: 'reported',
  }
}
