// Google's errors (google.rpc.Status). Their details have the reason and the retry delay.
import { buildPromptBlock } from '../answers/failures.ts'
import type { SseFrame } from '../answers/frames.ts'
import type { CallFailure } from '../answers/call-failure.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asList, getMember, asFiniteNumber, asObject, parseJsonBytes, asText } from '../json/json-value.ts'
import { findDisguisedError as foreignDisguise, readErrorReply as readForeign } from '../openai-chat/error.ts'
import { redactSecrets } from '../answers/redact.ts'
import { escapeLineEnds, getEitherSpelling } from './fields.ts'

const encoder = new TextEncoder()

/** Google's status names; the first match is written. */
const words: readonly [status: number, word: string][] = [
  [400, 'INVALID_ARGUMENT'],
  [400, 'FAILED_PRECONDITION'],
  [400, 'OUT_OF_RANGE'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'ABORTED'],
  [409, 'ALREADY_EXISTS'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [500, 'INTERNAL'],
  [500, 'UNKNOWN'],
  [501, 'UNIMPLEMENTED'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]
const TYPE = 'type.googleapis.com/google.rpc.'
const DOMAIN = 'weir'

const detail = (error: unknown, kind: string): unknown =>
  (asList(getMember(error, 'details')) ?? []).find((one) => getMember(one, '@type') === TYPE + kind)

/** Parses a duration such as `48s` or `0.5s`, in ms. */
function durationMs(value: unknown): number | undefined {
  const seconds = /^(\d{1,9}(?:\.\d+)?)s$/.exec(asText(value) ?? '')?.[1]
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000)
}

/** Returns the error in an answer of Google's shape; a streamed array has it in its first element. */
const findError = (value: unknown): JsonObject | undefined => asObject(getMember(asList(value)?.[0] ?? value, 'error'))

/** Converts an error object of Google's to a failure. */
export function parseFailure(error: JsonObject, status: number): CallFailure {
  const word = asText(error.status)
  const reason = asText(getMember(detail(error, 'ErrorInfo'), 'reason'))
  const violated = asList(getEitherSpelling(detail(error, 'BadRequest'), 'fieldViolations'))?.[0]
  const param = asText(getMember(violated, 'field'))
  const retry_after_ms = durationMs(getEitherSpelling(detail(error, 'RetryInfo'), 'retryDelay'))
  return {
    status,
    message: redactSecrets(asText(error.message) ?? `bad response status code ${status}`),
    type: redactSecrets(word ?? 'upstream_error'),
    code: reason === undefined ? (word ?? null) : redactSecrets(reason),
    param: param === undefined ? null : redactSecrets(param),
    source: 'upstream',
    ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
  }
}

/** Returns the failure in a stream's chunk. */
export function findChunkFailure(chunk: unknown): CallFailure | undefined {
  const error = findError(chunk)
  const code = asFiniteNumber(error?.code)
  return error && parseFailure(error, code !== undefined && code >= 400 && code <= 599 ? code : 502)
}

/** Returns the failure of a prompt that Google refuses to answer. */
export function findPromptBlock(chunk: unknown): CallFailure | undefined {
  const feedback = getEitherSpelling(chunk, 'promptFeedback')
  const reason = asText(getEitherSpelling(feedback, 'blockReason'))
  if (reason === undefined) return undefined
  const words = asText(getEitherSpelling(feedback, 'blockReasonMessage'))
  return buildPromptBlock(redactSecrets(`The prompt was blocked: ${reason}${words ? `. ${words}` : ''}`))
}

/** Reads an answer of any status but 200. Proxies before Google answer in other shapes. */
export function readErrorReply(status: number, body: Uint8Array): CallFailure {
  const error = findError(parseJsonBytes(body))
  return error && asText(error.message) ? parseFailure(error, status) : readForeign(status, body)
}

/** Returns the error in a parsed answer of status 200. */
export const findDisguisedError = (answer: unknown): CallFailure | undefined =>
  asList(answer) || asObject(answer) ? findChunkFailure(answer) : foreignDisguise(answer)

function getStatusWord({ status, type }: CallFailure): string {
  if (words.some(([, word]) => word === type)) return type
  const exact = words.find(([code]) => code === status)?.[1]
  if (exact) return exact
  if (status === 408) return 'DEADLINE_EXCEEDED'
  return status >= 502 ? 'UNAVAILABLE' : status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT'
}

/** Google's reasons that its clients check, by the code of other formats. */
const reasons: Readonly<Record<string, string>> = { invalid_api_key: 'API_KEY_INVALID' }
const getReason = (code: string): string => (Object.hasOwn(reasons, code) ? (reasons[code] ?? code) : code)

function errorBody(failure: CallFailure): string {
  const { status: code, message, param, retry_after_ms } = failure
  const status = getStatusWord(failure)
  const reason = failure.code === null || failure.code === status ? undefined : getReason(String(failure.code))
  const details = [
    ...(reason ? [{ '@type': `${TYPE}ErrorInfo`, reason, domain: DOMAIN }] : []),
    ...(param ? [{ '@type': `${TYPE}BadRequest`, fieldViolations: [{ field: param, description: message }] }] : []),
    ...(retry_after_ms === undefined
      ? []
      : [{ '@type': `${TYPE}RetryInfo`, retryDelay: `${Math.round(retry_after_ms) / 1000}s` }]),
  ]
  return JSON.stringify({ error: { code, message, status, ...(details.length > 0 ? { details } : {}) } })
}

/** Google's clients know no header that ends their retries, and do not retry this status. */
export const FINAL_ERROR_STATUS = 403

export const writeErrorReply = (failure: CallFailure): Uint8Array => encoder.encode(errorBody(failure))

/** Writes a failure inside a stream that has already started. */
export const writeErrorFrame = (failure: CallFailure): SseFrame => ({ data: escapeLineEnds(errorBody(failure)) })
