// Errors of Anthropic's format. Its clients choose their exception by status and show the type.
import { CONTEXT_TOO_LONG } from '../answers/failures.ts'
import type { SseFrame } from '../answers/frames.ts'
import type { CallFailure } from '../answers/call-failure.ts'
import { asList, getMember, asObject, parseJsonBytes, asText, type JsonObject } from '../json/json-value.ts'
import { parseFailure, readErrorReply as readAnyError } from '../openai-chat/error.ts'

const encoder = new TextEncoder()

const statuses: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}
const types = new Map(Object.entries(statuses).map(([type, status]) => [status, type]))

/** Returns the failure in `{"type": "error", "error": {…}}`. In a stream its status is derived from the type. */
export function findEventFailure(event: JsonObject): CallFailure | undefined {
  const error = asObject(event.error) ?? (asText(event.error) ? { message: event.error } : undefined)
  if (!error) return undefined
  const type = asText(error.type) ?? ''
  return withCode(parseFailure(error, Object.hasOwn(statuses, type) ? statuses[type]! : 502), error)
}

/** Newer errors have their code in `details`. */
function withCode(failure: CallFailure, error: unknown): CallFailure {
  const details = getMember(error, 'details')
  const code = asText(getMember(details, 'error_code'))
  const unsupported = asList(getMember(details, 'unsupported'))?.map(String)
  return code === undefined ? failure : { ...failure, code, ...(unsupported ? { unsupported } : {}) }
}

/** Reads an answer of any status but 200. */
export const readErrorReply = (status: number, body: Uint8Array): CallFailure =>
  withCode(readAnyError(status, body), getMember(parseJsonBytes(body), 'error'))

/** Returns the error in a parsed answer of status 200 that is an error, or no message at all. */
export function findDisguisedError(answer: unknown, body: Uint8Array): CallFailure | undefined {
  if (asList(getMember(answer, 'content'))) return undefined
  const failure = findEventFailure(asObject(answer) ?? {})
  if (failure) return failure
  const read = readAnyError(502, body)
  return asObject(answer) ? read : { ...read, message: 'The upstream sent an answer that cannot be read' }
}

/** Clients that read this compact the conversation and retry. */
const NO_ROOM = 'prompt is too long'

/** Clients that store their conversation at Anthropic resend all of it when they read this. */
const NO_THREAD = 'thread_unsupported_request'

function errorBody({ status, message, type, code, request_id, unsupported }: CallFailure): string {
  const error_code = unsupported?.includes('thread') ? NO_THREAD : code
  const details = typeof error_code === 'string' ? { details: { error_code, unsupported } } : {}
  const words = code === CONTEXT_TOO_LONG && !message.startsWith(NO_ROOM) ? `${NO_ROOM}: ${message}` : message
  return JSON.stringify({
    type: 'error',
    error: { type: chooseErrorType(status, type), message: words, ...details },
    request_id,
  })
}

/** OpenAI uses `invalid_request_error` for any status, so for that type the status is more precise. */
function chooseErrorType(status: number, type: string): string {
  const isSpecific = Object.hasOwn(statuses, type) && type !== 'invalid_request_error'
  return isSpecific ? type : (types.get(status) ?? getRangeType(status))
}

const getRangeType = (status: number): string => (status >= 500 ? 'api_error' : 'invalid_request_error')

export const writeErrorReply = (failure: CallFailure): Uint8Array => encoder.encode(errorBody(failure))

/** Writes a failure inside a stream that has already started. */
export const writeErrorFrame = (failure: CallFailure): SseFrame => ({ event: 'error', data: errorBody(failure) })
