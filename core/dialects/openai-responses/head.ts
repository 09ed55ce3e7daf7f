// Reads the few fields of a Responses request that a call needs when its bytes pass through, and rejects invalid
// requests.
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
import { responsesObjectPlaces } from '../requests/openai-objects.ts'
import { CHAT_PRICE_WORDS, readPriceWords } from '../requests/price-words.ts'
import { isForeignSignature } from '../reasoning/reasoning-signature.ts'
import { sumTools, readMeasuredBody } from '../requests/measured-body.ts'
import { parseRequestBody } from '../requests/request-body.ts'
import { toKindCheck, checkRequestKinds, flagField, object, textField, textOr, textOrList } from '../requests/shape.ts'
import { findProviderCompaction, isOwnCompaction } from './compaction.ts'
import { findLastEncrypted, REDACTED_REASONING_PREFIX } from './extras.ts'
import { endsInCompactionTrigger, isReference } from './stored-answer.ts'
import { readToolForms } from './tools.ts'

// Estimates a Responses prompt's tokens.

/** Estimates the prompt tokens of a request, at least 1 (docs/billing.md, 12.2). */
export function estimatePromptTokens({ instructions, input, tools }: JsonObject): number {
  let sum = REPLY_PRIMER_TOKENS + contentTokens(instructions)
  if (typeof input === 'string') sum += TOKENS_PER_MESSAGE + estimateTextTokens(input)
  for (const item of asList(input) ?? []) sum += TOKENS_PER_MESSAGE + itemTokens(asObject(item) ?? {})
  sum += sumTools(asList(tools) ?? [], toolTokens)
  return Math.max(1, Math.ceil(sum))
}

const toolTokens = (tool: unknown): number => TOKENS_PER_TOOL + estimateValueTokens(tool)

function itemTokens(item: JsonObject): number {
  const { type } = item
  if (type === undefined || type === 'message') return 1 + contentTokens(item.content)
  if (type === 'function_call_output') return contentTokens(item.output)
  // Encrypted reasoning, calls and other items: the model reads all of it in some form.
  return estimateValueTokens(item)
}

function contentTokens(content: unknown): number {
  if (typeof content === 'string') return estimateTextTokens(content)
  return (asList(content) ?? []).reduce<number>((sum, part) => sum + partTokens(part), 0)
}

function partTokens(part: unknown): number {
  switch (getMember(part, 'type')) {
    case 'input_image':
      return getMember(part, 'detail') === 'low' ? LOW_IMAGE_TOKENS : IMAGE_TOKENS
    case 'input_audio':
      return AUDIO_TOKENS
    case 'input_file':
      return FILE_TOKENS
    default:
      return estimateTextTokens(asText(getMember(part, 'text')) ?? asText(getMember(part, 'refusal')) ?? '')
  }
}

/** References to data stored at the provider: without input, one of these supplies the prompt. */
export const KEPT_UPSTREAM = ['previous_response_id', 'conversation', 'prompt'] as const

/** Fields that the answer repeats. */
const REPEATED = (
  'instructions max_output_tokens max_tool_calls metadata parallel_tool_calls reasoning temperature text tool_choice ' +
  'tools top_logprobs top_p truncation prompt_cache_key safety_identifier user previous_response_id store'
).split(' ')

/** The fields that are read for every provider. */
export const headFields = {
  input: textOr(toKindCheck([{ content: textOrList, encrypted_content: textField }])),
  instructions: textField,
  stream: flagField,
  background: flagField,
  store: flagField,
  max_output_tokens: checkTokenLimit(),
  tools: [object],
  context_management: [{ type: textField, compact_threshold: checkTokenLimit() }],
  previous_response_id: textField,
  prompt_cache_key: textField,
  safety_identifier: textField,
  user: textField,
} as const
const fits = toKindCheck(headFields)

/**
 * Parses a Responses request and checks the fields that the gateway depends on.
 * @throws GatewayError request.unreadable, request.no_model, request.invalid
 */
export const parseValidRequest = (body: Uint8Array): JsonObject => checkRequest(parseRequestBody(body))

function checkRequest(request: JsonObject): JsonObject {
  const { model, input, background, store } = request
  const invalid = (param: string, reason: string): never => fail('request.invalid', { param, reason })
  if (typeof model !== 'string' || model.trim() === '') fail('request.no_model')
  if (!hasValue(input) && !KEPT_UPSTREAM.some((key) => hasValue(request[key]))) invalid('input', 'input is required')
  checkRequestKinds(request, fits)
  if (background === true && store === false) invalid('store', 'background requires store to be true')
  return request
}

export const hasValue = (value: unknown): boolean => value !== undefined && value !== null

/** Returns the requested output limit; undefined if there is none. */
export const parseMaxTokens = ({ max_output_tokens }: JsonObject): number | undefined =>
  asFiniteNumber(max_output_tokens)

const MEASURED = ['input']

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export const readRequestHead = (body: Uint8Array): RequestHead => readMeasuredBody(body, MEASURED, buildHead)

function buildHead(request: JsonObject): RequestHead {
  checkRequest(request)
  const limit = parseMaxTokens(request)
  const prompt_estimate = estimatePromptTokens(request)
  const tool_forms = readToolForms(request)
  const items = asList(request.input)
  const proof = findLastEncrypted(items)
  const compaction = findProviderCompaction(items)
  const compacts = endsInCompactionTrigger((items ?? []) as JsonObject[])
  const threshold = compacts ? undefined : compactionThreshold(request.context_management)
  const session = asText(request.prompt_cache_key) ?? asText(request.safety_identifier) ?? asText(request.user)
  return {
    model: request.model as string,
    words: readPriceWords(request, CHAT_PRICE_WORDS),
    stream: request.stream === true,
    ...(limit === undefined ? {} : { max_tokens: limit }),
    include_usage: true, // always part of this format
    prompt_estimate,
    shows_thoughts:
      hasValue(request.reasoning) || asList(request.include)?.includes('reasoning.encrypted_content') === true,
    ...(proof === undefined ? {} : { proof }),
    ...(compaction === undefined ? {} : { compaction }),
    ...(items?.some(isOwnCompaction) ? { summed: true as const } : {}),
    ...(compacts ? { compacts: true as const } : {}),
    ...(threshold === undefined ? {} : { compacts_above: threshold }),
    ...(items?.some(isBorrowing) ? { borrowed: true as const } : {}),
    ...(items?.some((item) => isReference(item as JsonObject)) ? { refers: true as const } : {}),
    ...findCacheAffinity(prompt_estimate, session, listTexts(request)),
    ...(asText(request.previous_response_id) ? { continues: String(request.previous_response_id) } : {}),
    objects: findProviderObjects(request, responsesObjectPlaces.request),
    storesAnswer: request.store !== false,
    ...(request.background === true && request.stream !== true ? { deferred: true as const } : {}),
    ...(tool_forms ? { tool_forms } : {}),
    repeated: Object.fromEntries(REPEATED.filter((key) => hasValue(request[key])).map((key) => [key, request[key]])),
  }
}

/** Returns the number of tokens above which the conversation is summarized. */
const compactionThreshold = (edits: unknown): number | undefined =>
  asFiniteNumber(
    getMember(
      asList(edits)?.find((edit) => getMember(edit, 'type') === 'compaction'),
      'compact_threshold',
    ),
  )

const isBorrowing = (item: unknown): boolean => {
  const sealed = getMember(item, 'encrypted_content')
  return isForeignSignature(sealed) || (typeof sealed === 'string' && sealed.startsWith(REDACTED_REASONING_PREFIX))
}

function* listTexts({ instructions, input }: JsonObject): Generator<string> {
  if (typeof instructions === 'string') yield instructions
  if (typeof input === 'string') yield input
  for (const item of asList(input) ?? []) {
    const content = getMember(item, 'content')
    if (typeof content === 'string') yield content
    for (const part of asList(content) ?? []) yield asText(getMember(part, 'text')) ?? ''
  }
}
