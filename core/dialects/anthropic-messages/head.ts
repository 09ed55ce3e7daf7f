// Reads the few fields of a message request that a call needs when its bytes pass through, and rejects invalid
// requests.
import { fail } from '../../errors.ts'
import type { RequestHead } from '../requests/head.ts'
import {
  FILE_TOKENS,
  TOKENS_PER_MESSAGE,
  TOKENS_PER_TOOL,
  REPLY_PRIMER_TOKENS,
  estimateTextTokens,
  checkTokenLimit,
  estimateValueTokens,
} from '../requests/head.ts'
import { isForeignSignature } from '../reasoning/reasoning-signature.ts'
import { asList, getMember, asObject, asText, type JsonObject } from '../json/json-value.ts'
import type { FormatObjectDeclarations, ObjectDeclarations } from '../requests/object-places.ts'
import { findProviderObjects, normalizeFileAddress, declareId } from '../requests/object-places.ts'
import { sumTools, readMeasuredBody } from '../requests/measured-body.ts'
import { parseRequestBody } from '../requests/request-body.ts'
import { CHAT_PRICE_WORDS, readPriceWords } from '../requests/price-words.ts'
import { isForeignSearch } from './usage.ts'
import { toKindCheck, checkRequestKinds, flagField, object, textField, textOrList } from '../requests/shape.ts'
import { findCacheAffinity } from '../cache-affinity.ts'

const file_id = declareId('file')

/** A block of a message or of a tool result. */
const block: ObjectDeclarations = {
  source: { file_id, url: declareId('file', { read: normalizeFileAddress }), content: () => block },
  // An upload into the container, or a file that code created there.
  file_id,
  content: () => block,
  citations: { file_id },
}

/** The type marks Anthropic's built-in skills. */
const skill_id = declareId('skill', { read: (id, { type }) => (type === 'anthropic' ? undefined : id) })
const container = declareId('container', { within: { id: declareId('container'), skills: { skill_id } } })

const message: ObjectDeclarations = {
  id: declareId('thread', { read: (id, { type }) => (type === 'message' ? id : undefined) }),
  container: { id: declareId('container') },
  content: block,
}

export const messageObjects: FormatObjectDeclarations = {
  request: {
    system: block,
    messages: { content: block },
    container,
    thread: { previous_message_id: declareId('thread') },
    user_profile_id: declareId('profile'),
  },
  // A whole answer, and the stream events that start it, hold a block or end it.
  answer: { ...message, message, content_block: block, delta: { container: { id: declareId('container') } } },
  unknown: 'object.missing',
}

/** The fields that are read for every provider. */
export const headFields = {
  stream: flagField,
  max_tokens: checkTokenLimit(),
  system: textOrList,
  messages: [{ content: textOrList }],
  tools: [object],
  metadata: { user_id: textField },
} as const
const fits = toKindCheck(headFields)

/** Tokens counted for an image on this endpoint (docs/billing.md, 12.2). */
const IMAGE = 1000

/**
 * Parses a message request and checks the fields that the gateway depends on.
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

const MEASURED = ['system', 'messages']

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export const readRequestHead = (body: Uint8Array): RequestHead => readMeasuredBody(body, MEASURED, buildHead)

function buildHead(request: JsonObject): RequestHead {
  checkRequest(request)
  const prompt_estimate = estimatePromptTokens(request)
  const proof = findLastSignature(asList(request.messages)?.findLast(isSigned))
  return {
    model: request.model as string,
    words: readPriceWords(request, CHAT_PRICE_WORDS),
    stream: request.stream === true,
    ...(typeof request.max_tokens === 'number' ? { max_tokens: request.max_tokens } : {}),
    include_usage: true,
    prompt_estimate,
    objects: findProviderObjects(request, messageObjects.request),
    ...(asObject(request.thread) ? { threads: true as const } : {}),
    searches: asList(request.tools)?.some((tool) => isSearch(getMember(tool, 'type'))) ?? false,
    shows_thoughts: SHOWING.has(getMember(request.thinking, 'type')),
    ...(proof === undefined ? {} : { proof }),
    ...(asList(request.messages)?.some(isBorrowing) ? { borrowed: true as const } : {}),
    ...findCacheAffinity(prompt_estimate, asText(getMember(request.metadata, 'user_id')), listTexts(request)),
  }
}

/** Kinds of thinking whose answers have reasoning blocks. */
const SHOWING: ReadonlySet<unknown> = new Set(['enabled', 'adaptive'])

/** Returns the signature in the last block of a message that has one. */
export function findLastSignature(content: unknown): string | undefined {
  const blocks = asList(getMember(content, 'content') ?? content) ?? []
  return getBlockSignature(blocks.findLast((block) => getBlockSignature(block) !== undefined))
}

function getBlockSignature(block: unknown): string | undefined {
  const type = getMember(block, 'type')
  if (type === 'thinking') return asText(getMember(block, 'signature'))
  return type === 'redacted_thinking' ? asText(getMember(block, 'data')) : undefined
}

const isSigned = (message: unknown): boolean =>
  getMember(message, 'role') === 'assistant' && findLastSignature(message) !== undefined

const isSearch = (type: unknown): boolean => typeof type === 'string' && type.startsWith('web_search')

const isBorrowing = (message: unknown): boolean =>
  getMember(message, 'role') === 'assistant' &&
  (asList(getMember(message, 'content'))?.some((block) => isForeign(asObject(block) ?? {})) ?? false)

/** Anthropic signs or encrypts all its own reasoning. */
function isForeign(block: JsonObject): boolean {
  const { type, signature, data } = block
  if (type === 'thinking') return !signature || isForeignSignature(signature)
  return (type === 'redacted_thinking' && isForeignSignature(data)) || isForeignSearch(block)
}

function* listTexts(request: JsonObject): Generator<string> {
  const contents = [request.system, ...(asList(request.messages) ?? []).map((message) => getMember(message, 'content'))]
  for (const content of contents) {
    for (const block of typeof content === 'string' ? [content] : (asList(content) ?? [])) {
      yield typeof block === 'string' ? block : (asText(getMember(block, 'text')) ?? '')
    }
  }
}

/** Estimates the prompt tokens of a request, at least 1. */
function estimatePromptTokens(request: JsonObject): number {
  let sum = REPLY_PRIMER_TOKENS + contentTokens(request.system)
  for (const message of asList(request.messages) ?? []) {
    sum += TOKENS_PER_MESSAGE + 1 + contentTokens(getMember(message, 'content'))
  }
  sum += sumTools(asList(request.tools) ?? [], toolTokens)
  return Math.max(1, Math.ceil(sum))
}

const toolTokens = (tool: unknown): number => TOKENS_PER_TOOL + estimateValueTokens(tool)

function contentTokens(content: unknown): number {
  if (typeof content === 'string') return estimateTextTokens(content)
  return (asList(content) ?? []).reduce<number>((sum, block) => sum + blockTokens(asObject(block) ?? {}), 0)
}

function blockTokens(block: JsonObject): number {
  switch (block.type) {
    case 'text':
      return estimateTextTokens(asText(block.text) ?? '')
    case 'image':
      return IMAGE
    case 'document': {
      const inner = getMember(block.source, 'type')
      return inner === 'text' ? estimateTextTokens(asText(getMember(block.source, 'data')) ?? '') : FILE_TOKENS
    }
    case 'thinking':
      return estimateTextTokens(asText(block.thinking) ?? '')
    case 'tool_use':
      return estimateTextTokens(asText(block.name) ?? '') + estimateValueTokens(block.input)
    case 'tool_result':
      return contentTokens(block.content)
    default:
      return estimateValueTokens(block)
  }
}
