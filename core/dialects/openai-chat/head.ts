// Reads the few fields of a chat request that a call needs when its bytes pass through, and rejects invalid requests.
import { fail } from '../../errors.ts'
import { findCacheAffinity } from '../cache-affinity.ts'
import type { RequestHead } from '../requests/head.ts'
import {
  AUDIO_TOKENS,
  FILE_TOKENS,
  IMAGE_TOKENS,
  LOW_IMAGE_TOKENS,
  TOKENS_PER_MESSAGE,
  TOKENS_PER_TOOL,
  REPLY_PRIMER_TOKENS,
  estimateTextTokens,
  checkTokenLimit,
  estimateValueTokens,
} from '../requests/head.ts'
import { asList, asFiniteNumber, asObject, asText, getMember, type JsonObject } from '../json/json-value.ts'
import { findProviderObjects } from '../requests/object-places.ts'
import { chatObjectPlaces } from '../requests/openai-objects.ts'
import { CHAT_PRICE_WORDS, readPriceWords } from '../requests/price-words.ts'
import { isForeignSignature } from '../reasoning/reasoning-signature.ts'
import { sumTools, readMeasuredBody } from '../requests/measured-body.ts'
import { parseRequestBody } from '../requests/request-body.ts'
import { createRequestCostScanner } from '../requests/cost-scanner.ts'
import {
  toKindCheck,
  checkRequestKinds,
  flagField,
  listField,
  number,
  object,
  textField,
  textOrList,
} from '../requests/shape.ts'
import { readSignature, readToolForms } from './tools.ts'

// Estimates a chat prompt's tokens.

const PER_NAME = 1

/** Returns the tokens of one part of a message's content. */
function partTokens(part: unknown): number {
  if (typeof part === 'string') return estimateTextTokens(part)
  switch (getMember(part, 'type')) {
    case 'image_url':
      return getMember(getMember(part, 'image_url'), 'detail') === 'low' ? LOW_IMAGE_TOKENS : IMAGE_TOKENS
    case 'image':
    case 'input_image':
      return IMAGE_TOKENS
    case 'input_audio':
      return AUDIO_TOKENS
    case 'file':
    case 'video_url':
      return FILE_TOKENS
    default:
      return estimateTextTokens(asText(getMember(part, 'text')) ?? asText(getMember(part, 'refusal')) ?? '')
  }
}

function contentTokens(content: unknown): number {
  if (typeof content === 'string') return estimateTextTokens(content)
  return (asList(content) ?? []).reduce<number>((sum, part) => sum + partTokens(part), 0)
}

function callTokens(call: unknown): number {
  const called = asObject(getMember(call, 'function')) ?? asObject(call) ?? {}
  return estimateTextTokens(asText(called.name) ?? '') + estimateTextTokens(asText(called.arguments) ?? '')
}

function messageTokens(message: JsonObject): number {
  const name = asText(message.name)
  return (
    TOKENS_PER_MESSAGE +
    1 + // the role
    (name ? PER_NAME + estimateTextTokens(name) : 0) +
    contentTokens(message.content) +
    estimateTextTokens(asText(message.reasoning_content) ?? asText(message.reasoning) ?? '') +
    (asList(message.tool_calls) ?? []).reduce<number>((sum, call) => sum + callTokens(call), 0) +
    (message.function_call ? callTokens(message.function_call) : 0)
  )
}

function toolTokens(tool: unknown): number {
  const declared = asObject(getMember(tool, 'function')) ?? asObject(tool) ?? {}
  const { name, description, parameters } = declared
  return (
    TOKENS_PER_TOOL +
    estimateTextTokens(asText(name) ?? '') +
    estimateTextTokens(asText(description) ?? '') +
    estimateValueTokens(parameters ?? {})
  )
}

/** Estimates the prompt tokens of a chat request, at least 1 (docs/billing.md, 12.2). */
export function estimatePromptTokens(request: JsonObject): number {
  let sum = REPLY_PRIMER_TOKENS
  for (const message of asList(request.messages) ?? []) sum += messageTokens(asObject(message) ?? {})
  sum += sumTools(asList(request.tools) ?? asList(request.functions) ?? [], toolTokens)
  return Math.max(1, Math.ceil(sum))
}

// Finds the property that a chat call shares with others of the same prefix.

/** Returns the session that a caller names, or a hash of the prompt's first characters; nothing for short prompts. */
export const findChatAffinity = (request: JsonObject, promptTokens: number): Pick<RequestHead, 'session' | 'prefix'> =>
  findCacheAffinity(promptTokens, asText(request.prompt_cache_key) ?? asText(request.user), listTexts(request.messages))

function* listTexts(messages: unknown): Generator<string> {
  for (const message of asList(messages) ?? []) {
    const content = getMember(message, 'content')
    for (const part of typeof content === 'string' ? [content] : (asList(content) ?? [])) {
      yield typeof part === 'string' ? part : (asText(getMember(part, 'text')) ?? '')
    }
  }
}

/**
 * The fields that are read for every provider. Upstreams interpret `"stream": "true"` differently, so the kind is
 * checked.
 */
export const headFields = {
  stream: flagField,
  stream_options: { include_usage: flagField },
  messages: [{ content: textOrList, name: textField, tool_calls: listField }],
  max_tokens: checkTokenLimit(),
  max_completion_tokens: checkTokenLimit(),
  n: number,
  tools: [object],
  functions: [object],
  web_search_options: object,
  reasoning_effort: textField,
  user: textField,
  prompt_cache_key: textField,
} as const
const fits = toKindCheck(headFields)

/**
 * Parses a chat request and checks the fields that the gateway depends on.
 * @throws GatewayError request.unreadable, request.no_model, request.invalid
 */
export const parseValidRequest = (body: Uint8Array): JsonObject => checkRequest(parseRequestBody(body))

function checkRequest(request: JsonObject): JsonObject {
  const { model, messages } = request
  if (typeof model !== 'string' || model.trim() === '') fail('request.no_model')
  checkRequestKinds(request, fits)
  if (!asList(messages)?.length) fail('request.invalid', { param: 'messages', reason: 'messages is required' })
  return request
}

/** Returns the requested output limit, under its new or old name; undefined if there is none. */
export function parseMaxTokens({ max_tokens, max_completion_tokens }: JsonObject): number | undefined {
  const [old, limit] = [asFiniteNumber(max_tokens), asFiniteNumber(max_completion_tokens)]
  return old === undefined || limit === undefined ? (limit ?? old) : Math.max(old, limit)
}

/** Returns the signature of the last message that has one: that of its first signed call, else of its reasoning or text. */
function lastProof(messages: readonly JsonObject[]): string | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const { reasoning_signature, tool_calls } = messages[at]!
    for (const call of asList(tool_calls) ?? []) {
      const signature = readSignature(asObject(call) ?? {})
      if (signature !== undefined) return signature
    }
    const signature = asText(reasoning_signature)
    if (signature !== undefined) return signature
  }
  return undefined
}

const isBorrowing = ({ reasoning_signature }: JsonObject): boolean => isForeignSignature(reasoning_signature)

/** The members that enable reasoning, or its display, on servers of this format. */
const OF_THINKING = [
  ...['reasoning_effort', 'reasoning', 'include_reasoning', 'thinking', 'enable_thinking', 'thinking_budget'],
  'thinking_config',
]

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0

const MEASURED = ['messages']

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export const readRequestHead = (body: Uint8Array): RequestHead => readMeasuredBody(body, MEASURED, buildHead)

function buildHead(request: JsonObject): RequestHead {
  checkRequest(request)
  const limit = parseMaxTokens(request)
  const prompt_estimate = estimatePromptTokens(request)
  const { session, prefix } = findChatAffinity(request, prompt_estimate)
  // Always the same members: an object of one shape is created in one step.
  return {
    model: request.model as string,
    stream: request.stream === true,
    max_tokens: limit,
    answers: asFiniteNumber(request.n),
    include_usage: getMember(request.stream_options, 'include_usage') === true,
    prompt_estimate,
    session,
    prefix,
    tool_forms: readToolForms(request),
    proof: lastProof(request.messages as JsonObject[]),
    borrowed: (request.messages as JsonObject[]).some(isBorrowing) || undefined,
    calls: isFilled(request.tools) || isFilled(request.functions),
    searches: asObject(request.web_search_options) !== undefined,
    shows_thoughts: OF_THINKING.some((member) => Boolean(request[member])),
    effort: asText(request.reasoning_effort),
    objects: findProviderObjects(request, chatObjectPlaces.request),
    words: readPriceWords(request, CHAT_PRICE_WORDS),
  }
}

// Patterns of OpenAI's request fields that hold something other than text, in chat, Responses and similar formats,
// including the further fields of vendors that use these formats.

export const OPENAI_COST_SCANNER = createRequestCostScanner({
  pictures: ['image_url', 'input_image', 'image', 'inline_?data'],
  files: [
    ...['file\\w*', 'input_file', 'document', 'video_url', 'input_audio', 'cached_?content'],
    ...['previous_response_id', 'conversation', '(?:web|google|file)_?search\\w*', 'url_?context'],
  ],
  hostedTools: [
    ...['(?:web|google|file)_?search\\w*', 'web_?fetch\\w*', 'url_?context', '(?:\\w+_)?code_?execution\\w*'],
    ...['code_?interpreter', 'tool_search\\w*', 'mcp\\w*', 'google_?maps', 'image_generation', 'container', 'plugins'],
  ],
  thoughts: ['thinking', 'reasoning', 'reasoning_effort', 'thinking_?config', 'enable_thinking', 'thinking_budget'],
  mediaOut: ['modalities', 'response_?modalities', 'audio'],
  sound: ['audio'],
})
