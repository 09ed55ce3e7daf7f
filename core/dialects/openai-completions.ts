// OpenAI's completions, the predecessor of chat: a prompt in, text out. Its answers otherwise resemble chat's.
import type { Dialect } from './dialect.ts'
import { openaiChat } from './openai-chat/index.ts'
import { patchRequestBody } from './openai-chat/patch.ts'
import { NO_OBJECT_PLACES } from './requests/openai-objects.ts'
import { CHAT_PRICE_WORDS, readPriceWords } from './requests/price-words.ts'
import { fail } from '../errors.ts'
import type { Message, ModelRequest, WrittenRequest } from './model-request.ts'
import { type RequestHead, estimateTextTokens, checkTokenLimit } from './requests/head.ts'
import { withFormatInWords } from './json-schema/words.ts'
import { asList, getMember, asFiniteNumber, asText, omitUndefinedMembers, type JsonObject } from './json/json-value.ts'
import { parseRequestBody } from './requests/request-body.ts'
import { parseMaxTokens } from './openai-chat/head.ts'
import {
  checkRequestKinds,
  each,
  flagField,
  toKindCheck,
  members,
  number,
  acceptAny,
  textField,
  textOrList,
  findUnsupportedFields,
  acceptDefaults,
} from './requests/shape.ts'
import { findCacheAffinity } from './cache-affinity.ts'
import type { SseFrame } from './answers/frames.ts'
import type { FinishReason, ModelEvent } from './answers/model-event.ts'
import { writeErrorReply, writeErrorFrame } from './openai-chat/error.ts'
import { STREAM_END_MARK } from './openai-chat/events.ts'
import { writeUsageMembers } from './openai-chat/usage.ts'
import { toJsonBytes } from './json/json-bytes.ts'

const FORMAT_NAME = 'openai-completions'

/** The fields of a request and how the reader handles each of them. */
const FIELDS = {
  model: acceptAny,
  prompt: acceptAny,
  stream: acceptAny,
  stream_options: members({ include_usage: flagField }),
  max_tokens: acceptAny,
  temperature: number,
  top_p: number,
  seed: number,
  presence_penalty: number,
  frequency_penalty: number,
  n: number,
  user: textField,
  stop: each(textField),
  echo: acceptDefaults(false),
  best_of: acceptDefaults(1),
}

/** The fields that are read for every provider. */
const REQUEST_HEAD_FIELDS = {
  prompt: textOrList,
  suffix: textField,
  stream: flagField,
  stream_options: { include_usage: flagField },
  max_tokens: checkTokenLimit(),
  n: number,
  user: textField,
} as const
const fits = toKindCheck(REQUEST_HEAD_FIELDS)

function checkedRequest(body: Uint8Array): JsonObject {
  const request = parseRequestBody(body)
  const { model, prompt } = request
  if (typeof model !== 'string' || model.trim() === '') fail('request.no_model')
  if (prompt === undefined || prompt === null)
    fail('request.invalid', { param: 'prompt', reason: 'prompt is required' })
  checkRequestKinds(request, fits)
  return request
}

/** Estimates the tokens of a text, several texts, token numbers, or several lists of them. */
function promptTokens(prompt: unknown): number {
  if (typeof prompt === 'string') return estimateTextTokens(prompt)
  if (typeof prompt === 'number') return 1
  return (asList(prompt) ?? []).reduce<number>((sum, one) => sum + promptTokens(one), 0)
}

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
function readRequestHead(body: Uint8Array): RequestHead {
  const request = checkedRequest(body)
  const limit = parseMaxTokens(request)
  const prompt_estimate = Math.max(
    1,
    Math.ceil(promptTokens(request.prompt) + estimateTextTokens(asText(request.suffix) ?? '')),
  )
  const texts = (asList(request.prompt) ?? [request.prompt]).filter((one) => typeof one === 'string')
  return {
    model: request.model as string,
    words: readPriceWords(request, CHAT_PRICE_WORDS),
    stream: request.stream === true,
    ...(limit === undefined ? {} : { max_tokens: limit }),
    answers: asFiniteNumber(request.n),
    include_usage: getMember(request.stream_options, 'include_usage') === true,
    prompt_estimate,
    ...findCacheAffinity(prompt_estimate, asText(request.user), texts),
  }
}

/**
 * Reads the request, with the prompt as a user message.
 * @throws GatewayError request.unreadable, request.no_model, request.invalid, request.untranslatable
 */
function readModelRequest(body: Uint8Array): ModelRequest {
  const request = checkedRequest(body)
  const prompts = asList(request.prompt) ?? [request.prompt]
  const [text] = prompts
  if (prompts.length !== 1) fail('request.untranslatable', { reason: 'prompt is not one text' })
  if (typeof text !== 'string') fail('request.untranslatable', { reason: 'prompt is not a text' })
  const stop = typeof request.stop === 'string' ? [request.stop] : asList(request.stop)
  const { extra, lost } = findUnsupportedFields(request, FIELDS)
  return omitUndefinedMembers({
    dialect: FORMAT_NAME,
    model: request.model as string,
    stream: request.stream === true,
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }],
    max_tokens: parseMaxTokens(request),
    temperature: asFiniteNumber(request.temperature),
    top_p: asFiniteNumber(request.top_p),
    seed: asFiniteNumber(request.seed),
    presence_penalty: asFiniteNumber(request.presence_penalty),
    frequency_penalty: asFiniteNumber(request.frequency_penalty),
    n: asFiniteNumber(request.n),
    user: asText(request.user),
    stop: stop?.filter((one): one is string => typeof one === 'string'),
    lost: lost.size > 0 ? [...lost] : undefined,
    extra,
  })
}

/** Neutral fields that this format also has. */
const SHARED = 'temperature top_p seed presence_penalty frequency_penalty n user stop'.split(
  ' ',
) as (keyof ModelRequest)[]
/** Neutral fields that this format does not support. */
const UNSUPPORTED = (
  'tools tool_choice parallel_tool_calls top_k logprobs top_logprobs service_tier response_format reasoning_effort ' +
  'reasoning_budget modalities'
).split(' ') as (keyof ModelRequest)[]

/** Returns the content of a message other than texts. */
const listUnsupportedParts = ({ content, name, tool_calls, reasoning, failed }: Message): string[] => [
  ...content.flatMap(({ type }) => (type === 'text' ? [] : [`messages.${type}`])),
  ...(name === undefined ? [] : ['messages.name']),
  ...(tool_calls?.length ? ['tool_calls'] : []),
  ...(reasoning?.length ? ['reasoning_content'] : []),
  ...(failed ? ['tool_result.is_error'] : []),
]

/** Writes the request. All messages are joined into one text; roles and content other than text are lost. */
function writeModelRequest(neutral: ModelRequest): WrittenRequest {
  const request = withFormatInWords(neutral)
  const { dialect, extra, messages, model, stream, max_tokens } = request
  const own = dialect === FORMAT_NAME
  const texts = messages.flatMap(({ content }) => content).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const dropped = [
    ...UNSUPPORTED.filter((key) => request[key] !== undefined),
    ...(request.hosted_tools ?? []).map(({ name }) => `tools.${name}`),
    ...(own ? [] : Object.keys(extra)),
    ...new Set(messages.flatMap(listUnsupportedParts)),
  ]
  const body = {
    ...(own ? extra : {}),
    ...Object.fromEntries(SHARED.map((key) => [key, request[key]])),
    model,
    stream,
    prompt: texts.join('\n\n'),
    max_tokens,
  }
  return { body: toJsonBytes(body), dropped }
}

const writeChoice = (index: number, text: string, reason: FinishReason | undefined): JsonObject => ({
  text,
  index,
  logprobs: null,
  // There are no tools here: an answer with a tool call has ended.
  finish_reason: reason === 'tool_calls' ? 'stop' : (reason ?? null),
})

/** Returns a writer of the chunks of one stream. Content other than text is omitted. */
function createStreamWriter(head: RequestHead): (event: ModelEvent) => SseFrame[] {
  let start = { id: '', model: head.model, created: 0 }
  const chunk = (choices: JsonObject[], more: JsonObject = {}): SseFrame[] => {
    const { id, created, model } = start
    return [{ data: JSON.stringify({ id, object: 'text_completion', created, model, choices, ...more }) }]
  }
  return (event) => {
    switch (event.type) {
      case 'start':
        start = { id: event.id, model: event.model || head.model, created: event.created }
        return []
      case 'text':
      case 'refusal':
        return chunk([writeChoice(event.choice, event.text, undefined)])
      case 'finish':
        return chunk([writeChoice(event.choice, '', event.reason)])
      case 'usage':
        return head.include_usage ? chunk([], writeUsageMembers(event.usage)) : []
      case 'failure':
        return [writeErrorFrame(event.failure)]
      case 'end':
        return [{ data: STREAM_END_MARK }]
      default:
        return []
    }
  }
}

/** Writes a whole answer from events and joins its text fragments. A failure among them makes it an error body. */
function writeWholeReply(events: ModelEvent[], head?: RequestHead): Uint8Array {
  let start: JsonObject = { id: '', model: '', created: 0 }
  let more: JsonObject = {}
  const choices = new Map<number, { text: string; reason?: FinishReason }>()
  for (const event of events) {
    if (event.type === 'failure') return writeErrorReply(event.failure)
    if (event.type === 'start')
      start = { id: event.id, model: event.model || (head?.model ?? ''), created: event.created }
    else if (event.type === 'usage') more = writeUsageMembers(event.usage)
    else if (event.type === 'text' || event.type === 'refusal' || event.type === 'finish') {
      const choice = choices.get(event.choice) ?? { text: '' }
      choices.set(event.choice, choice)
      if (event.type === 'finish') choice.reason = event.reason
      else choice.text += event.text
    }
  }
  if (choices.size === 0) choices.set(0, { text: '' })
  const written = [...choices]
    .sort(([a], [b]) => a - b)
    .map(([index, { text, reason }]) => writeChoice(index, text, reason))
  return toJsonBytes({ ...start, object: 'text_completion', choices: written, ...more })
}

export const openaiCompletions: Dialect = {
  ...openaiChat,
  name: FORMAT_NAME,
  paths: ['/v1/completions'],
  idPrefix: 'cmpl-',
  headFields: REQUEST_HEAD_FIELDS,
  objects: NO_OBJECT_PLACES,
  readRequestHead,
  readModelRequest,
  writeModelRequest,
  // The format has no field for an operator's system prompt or for reasoning.
  patchRequestBody: (body, change) => patchRequestBody(body, { ...change, system: undefined, implied: undefined }),
  writer: createStreamWriter,
  writeWholeReply,
}
