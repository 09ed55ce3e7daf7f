// Failures in this format: inside a stream, and as a failed response.
import { toTextCode } from '../answers/failures.ts'
import type { SseFrame } from '../answers/frames.ts'
import type { CallFailure } from '../answers/call-failure.ts'
import { getMember, asObject, type JsonObject } from '../json/json-value.ts'
import { parseFailure, findDisguisedError as chatDisguise } from '../openai-chat/error.ts'

/** HTTP status by the code of a failed response; other codes are the provider's fault. */
const statuses: Record<string, number> = {
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  server_error: 500,
  invalid_prompt: 400,
  context_length_exceeded: 400,
  invalid_image: 400,
  image_content_policy_violation: 400,
}

const UNKNOWN: JsonObject = { message: 'The response failed' }

const toFailure = (error: JsonObject): CallFailure =>
  parseFailure(error, Object.hasOwn(statuses, String(error.code)) ? statuses[String(error.code)]! : 502)

/** Returns the failure in an event: `error`, with its message at the top or one level down, or `response.failed`. */
export function findEventFailure(type: string, event: JsonObject): CallFailure | undefined {
  if (type === 'response.failed') return toFailure(asObject(getMember(event.response, 'error')) ?? UNKNOWN)
  // Some gateways send the error object alone.
  if (type !== 'error' && (type !== '' || !asObject(event.error))) return undefined
  const { type: _, ...flat } = event
  return toFailure(asObject(event.error) ?? flat)
}

/** Returns the failure of a whole answer of status 200. */
export function parseResponseFailure(response: JsonObject): CallFailure | undefined {
  const error = asObject(response.error)
  if (error) return toFailure(error)
  return response.status === 'failed' ? toFailure(UNKNOWN) : undefined
}

/** Returns the error in a parsed answer of status 200. */
export const findDisguisedError = (answer: unknown): CallFailure | undefined =>
  parseResponseFailure(asObject(answer) ?? {}) ?? chatDisguise(answer)

/** The codes that a failed response may have. */
const CODES: ReadonlySet<unknown> = new Set(
  (
    'server_error rate_limit_exceeded invalid_prompt data_residency_mismatch bio_policy vector_store_timeout ' +
    'invalid_image invalid_image_format invalid_base64_image invalid_image_url image_too_large image_too_small ' +
    'image_parse_error image_content_policy_violation invalid_image_mode image_file_too_large ' +
    'unsupported_image_media_type empty_image_file failed_to_download_image image_file_not_found'
  ).split(' '),
)

/** Writes the error of a failed response, with the most precise code of a closed list. */
export function buildResponseError(failure: CallFailure): JsonObject {
  const { status, message } = failure
  const code = toTextCode(failure)
  if (CODES.has(code)) return { code, message }
  return { code: status === 429 ? 'rate_limit_exceeded' : status === 400 ? 'invalid_prompt' : 'server_error', message }
}

/** Writes the event of a failure, without its sequence number. Clients read the message in either place. */
export function writeErrorEvent(failure: CallFailure): JsonObject {
  const { message, type, param } = failure
  const code = toTextCode(failure)
  return { type: 'error', code, message, param, error: { message, type, param, code } }
}

/** Writes a failure before any other event. */
export const writeErrorFrame = (failure: CallFailure): SseFrame => ({
  event: 'error',
  data: JSON.stringify({ ...writeErrorEvent(failure), sequence_number: 0 }),
})
