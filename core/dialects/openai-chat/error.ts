// Errors of OpenAI-like providers: finds the message in any body and redacts it for callers.
import { toTextCode } from '../answers/failures.ts'
import type { SseFrame } from '../answers/frames.ts'
import type { CallFailure } from '../answers/call-failure.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asList, getMember, asFiniteNumber, asObject, parseJsonBytes, asText } from '../json/json-value.ts'
import { redactSecrets } from '../answers/redact.ts'

const encoder = new TextEncoder()

/**
 * Returns the message from its possible places, in this order (docs/relay.md, 8); the last two are common among other
 * servers.
 */
function findMessage(body: JsonObject): string | undefined {
  return (
    asText(getMember(body.error, 'message')) ??
    asText(body.message) ??
    asText(body.msg) ??
    asText(body.err) ??
    asText(body.error_msg) ??
    asText(getMember(body.header, 'message')) ??
    asText(getMember(getMember(body.response, 'error'), 'message')) ??
    asText(body.error) ??
    asText(body.detail)
  )
}

/** Returns a status written inside an error, if it is valid. */
const findStatus = (error: JsonObject): number | undefined =>
  [error.status, error.status_code, error.code]
    .map((value) => asFiniteNumber(typeof value === 'string' ? Number(value) : value))
    .find((status) => status !== undefined && Number.isInteger(status) && status >= 400 && status <= 599)

/** Converts an error object of OpenAI's shape: type, param and code are retained. */
export function parseFailure(error: JsonObject, status: number): CallFailure {
  const code = error.code
  return {
    status,
    message: redactSecrets(asText(error.message) ?? `bad response status code ${status}`),
    type: redactSecrets(asText(error.type) ?? 'upstream_error'),
    code: typeof code === 'string' ? redactSecrets(code) : (asFiniteNumber(code) ?? null),
    param: typeof error.param === 'string' ? redactSecrets(error.param) : null,
    source: 'upstream',
  }
}

/** Returns a failure whose body is not of OpenAI's shape (docs/relay.md, 4). */
const foreignFailure = (status: number, message?: string): CallFailure => ({
  status,
  message: message === undefined ? `bad response status code ${status}` : redactSecrets(message),
  type: 'upstream_error',
  code: 'bad_response_status_code',
  param: String(status),
  source: 'upstream',
})

/** Reads an answer of any status but 200; a body that is not JSON is not shown. */
export function readErrorReply(status: number, body: Uint8Array): CallFailure {
  const value = parseJsonBytes(body)
  // Gemini's compatible endpoint wraps its error in a list.
  const object = asObject(asList(value)?.[0] ?? value)
  if (!object) return foreignFailure(status)
  const error = asObject(object.error)
  return error && asText(error.message) ? parseFailure(error, status) : foreignFailure(status, findMessage(object))
}

/** Returns the failure in a stream's chunk: `{"error": …}` alone, next to choices (OpenRouter), or inside one. */
export function findChunkFailure(chunk: JsonObject): CallFailure | undefined {
  const inside = () => asList(chunk.choices)?.find((choice) => isError(getMember(choice, 'error')))
  const error = isError(chunk.error) ? chunk.error : getMember(inside(), 'error')
  if (error === undefined) return undefined
  const object = asObject(error) ?? { message: error }
  return parseFailure(object, findStatus(object) ?? 502)
}

/** Is this an actual error? Some servers send `"error": null` or `{}` with every chunk. */
function isError(value: unknown): boolean {
  if (value === undefined || value === null) return false
  return asText(value) !== undefined || ['message', 'type', 'code'].some((key) => asText(getMember(value, key)))
}

/** HTTP status by MiniMax's error code (https://platform.minimax.io/docs/api-reference/errorcode). */
const minimaxStatus: Record<number, number> = {
  1002: 429,
  1004: 401,
  1008: 402,
  1026: 400,
  1027: 400,
  1039: 429,
  1041: 429,
  1042: 400,
  2013: 400,
  2045: 429,
  2049: 401,
  2056: 429,
}

/**
 * Returns the error in an answer of status 200. Its status is the one in the error, otherwise 502.
 * @param answer the parsed answer; undefined if it is not JSON
 */
export function findDisguisedError(answer: unknown): CallFailure | undefined {
  const object = asObject(asList(answer)?.[0] ?? answer)
  if (!object)
    return { ...foreignFailure(502, 'The upstream sent an answer that cannot be read'), code: 'bad_response_body' }
  const base = asObject(object.base_resp)
  const code = asFiniteNumber(base?.status_code)
  if (code) {
    const message = asText(base?.status_msg) ?? `MiniMax error ${code}`
    return { ...foreignFailure(minimaxStatus[code] ?? 502, message), code, param: null }
  }
  const failure = findChunkFailure(object)
  if (failure) return failure
  if (Array.isArray(object.choices)) return undefined
  const message = findMessage(object)
  return message === undefined ? undefined : foreignFailure(findStatus(object) ?? 502, message)
}

function errorBody(failure: CallFailure): string {
  const { message, type, param } = failure
  return JSON.stringify({ error: { message, type, param, code: toTextCode(failure) } })
}

export const writeErrorReply = (failure: CallFailure): Uint8Array => encoder.encode(errorBody(failure))

/** Writes a failure inside a stream that has already started. */
export const writeErrorFrame = (failure: CallFailure): SseFrame => ({ data: errorBody(failure) })
