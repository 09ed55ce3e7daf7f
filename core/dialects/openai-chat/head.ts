// Reads the few fields of a chat request that a call needs when its bytes pass through, and rejects invalid requests.
import { fail } from '../../errors.ts'
import { tokenLimit, type RequestHead } from '../head.ts'
import { asList, getMember, asNumber, asObject, asText, type JsonObject } from '../json-value.ts'
import { findObjects } from '../object-places.ts'
import { chatObjects } from '../openai-objects.ts'
import { parseRequestBody } from '../request-body.ts'
import { CHAT_WORDS, readPriceWords } from '../price-words.ts'
import { isForeignSignature } from '../proof.ts'
import { asKind, checkKinds, flagField, listField, number, object, textField, textOrList } from '../shape.ts'
import { promptEstimate } from './estimate.ts'
import { readSignature } from './extras.ts'
import { findChatAffinity } from './cache-affinity.ts'
import { readToolForms } from './tools.ts'

/**
 * The fields that are read for every provider. Upstreams interpret `"stream": "true"` differently, so the kind is
 * checked.
 */
export const headFields = {
  stream: flagField,
  stream_options: { include_usage: flagField },
  messages: [{ content: textOrList, name: textField, tool_calls: listField }],
  max_tokens: tokenLimit(),
  max_completion_tokens: tokenLimit(),
  n: number,
  tools: [object],
  functions: [object],
  web_search_options: object,
  reasoning_effort: textField,
  user: textField,
  prompt_cache_key: textField,
} as const
const fits = asKind(headFields)

/**
 * Parses a chat request and checks the fields that the gateway depends on.
 * @throws GatewayError request.unreadable, request.no_model, request.invalid
 */
export function parseValidRequest(body: Uint8Array): JsonObject {
  const request = parseRequestBody(body)
  const { model, messages } = request
  if (typeof model !== 'string' || model.trim() === '') fail('request.no_model')
  checkKinds(request, fits)
  if (!asList(messages)?.length) fail('request.invalid', { param: 'messages', reason: 'messages is required' })
  return request
}

/** Returns the requested output limit, under its new or old name; undefined if there is none. */
export function parseMaxTokens({ max_tokens, max_completion_tokens }: JsonObject): number | undefined {
  const [old, limit] = [asNumber(max_tokens), asNumber(max_completion_tokens)]
  return old === undefined || limit === undefined ? (limit ?? old) : Math.max(old, limit)
}

/** Returns the last signature in the messages: of reasoning or text, or of a call. */
function lastProof(messages: readonly JsonObject[]): string | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const { reasoning_signature, tool_calls } = messages[at]!
    for (const call of asList(tool_calls) ?? []) {
      const signature = readSignature(asObject(call) ?? {})
      if (signature !== undefined) return signature
    }
    if (typeof reasoning_signature === 'string') return reasoning_signature
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

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
export function readHead(body: Uint8Array): RequestHead {
  const request = parseValidRequest(body)
  const limit = parseMaxTokens(request)
  const prompt_estimate = promptEstimate(request)
  const { session, prefix } = findChatAffinity(request, prompt_estimate)
  // Always the same members: an object of one shape is created in one step.
  return {
    model: request.model as string,
    stream: request.stream === true,
    max_tokens: limit,
    answers: asNumber(request.n),
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
    objects: findObjects(request, chatObjects.request),
    words: readPriceWords(request, CHAT_WORDS),
  }
}
