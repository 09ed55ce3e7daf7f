// Baidu's ERNIE models, first version of the API (https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t,
// "ERNIE-4.0-8K"): the model is part of the address, the system prompt is separate from the messages, and errors come
// with status 200.
import type { ModelRequest, WrittenRequest } from '../model-request.ts'
import type { FinishReason, ModelEvent } from '../answers/model-event.ts'
import { toJsonBytes } from '../json/json-bytes.ts'
import type { JsonObject } from '../json/json-value.ts'
import { getMember, asFiniteNumber, asObject, parseJsonBytes, omitUndefinedMembers } from '../json/json-value.ts'
import {
  createProviderDialect,
  startEvent,
  listNonTextParts,
  buildUsageEvents,
  buildFailureEvent,
  finishEvent,
  buildTextEvents,
  getSystemPrompt,
  mergeNeighborTurns,
  listUnsupportedFields,
  UNREADABLE_ANSWER,
  createStreamReader,
} from './provider-only.ts'

const WORDS = ['temperature', 'top_p', 'max_tokens', 'stop', 'user'] as const
/** Smallest output limit, in tokens. */
const LEAST = 2
/** Smallest temperature: the range is (0, 1]. */
const COLDEST = 0.01

export const wenxinChatDialect = createProviderDialect({
  name: 'wenxin-chat',
  writeModelRequest: writeRequest,
  reader,
  readWholeReply: readReply,
})

function writeRequest(request: ModelRequest): WrittenRequest {
  const { messages, stream, temperature, top_p, max_tokens, stop, user } = request
  const dropped = new Set([...listUnsupportedFields(request, WORDS), ...messages.flatMap(listNonTextParts)])
  const body = omitUndefinedMembers({
    messages: mergeNeighborTurns(messages).map(({ role, text }) => ({ role, content: text })),
    system: getSystemPrompt(messages) || undefined,
    stream,
    temperature: temperature === undefined ? undefined : Math.min(1, Math.max(COLDEST, temperature)),
    top_p,
    max_output_tokens: max_tokens === undefined ? undefined : Math.max(LEAST, max_tokens),
    stop,
    user_id: user,
  })
  return { body: toJsonBytes(body), dropped: [...dropped] }
}

function reader() {
  return createStreamReader({
    findFailure,
    start: ({ id, created }) => startEvent(id, created),
    used: readUsage,
    say: (chunk) => [...buildTextEvents(chunk.result), ...(chunk.is_end === true ? readEnd(chunk) : [])],
  })
}

function readReply(body: Uint8Array): ModelEvent[] {
  const answer = asObject(parseJsonBytes(body))
  if (!answer) return [buildFailureEvent(502, UNREADABLE_ANSWER)]
  const failure = findFailure(answer)
  if (failure) return [...readUsage(answer), failure]
  if (typeof answer.result !== 'string') return [buildFailureEvent(502, UNREADABLE_ANSWER)]
  return [
    startEvent(answer.id, answer.created),
    ...buildTextEvents(answer.result),
    ...readUsage(answer),
    ...readEnd(answer),
  ]
}

const readEnd = (chunk: JsonObject): ModelEvent[] => [finishEvent(readFinishReason(chunk)), { type: 'end' }]

const readUsage = ({ usage }: JsonObject): ModelEvent[] =>
  buildUsageEvents(getMember(usage, 'prompt_tokens'), getMember(usage, 'completion_tokens'))

function readFinishReason({ finish_reason, is_truncated, need_clear_history }: JsonObject): FinishReason {
  if (finish_reason === 'content_filter' || need_clear_history === true) return 'content_filter'
  return finish_reason === 'length' || is_truncated === true ? 'length' : 'stop'
}

/**
 * HTTP status by error code. Of the vendor's page of error codes 4, 6, 19, 100, 110, 111, 336000 and 336001 were read;
 * 17, 18, 336003 and those from 336501 on are as in other gateways; the others are unverified.
 */
const statuses: Record<number, number> = {
  4: 429,
  17: 429,
  18: 429,
  19: 429,
  336501: 429,
  336502: 429,
  336503: 429,
  336504: 429,
  336505: 429,
  6: 403,
  13: 401,
  14: 401,
  15: 401,
  100: 401,
  110: 401,
  111: 401,
  336001: 400,
  336002: 400,
  336003: 400,
  336004: 400,
  336006: 400,
  336007: 400,
  336103: 400,
  336000: 500,
  336100: 503,
  336104: 400,
}

function findFailure({ error_code, error_msg }: JsonObject): ModelEvent | undefined {
  const code = asFiniteNumber(error_code)
  return code ? buildFailureEvent(statuses[code] ?? 502, error_msg, code) : undefined
}
