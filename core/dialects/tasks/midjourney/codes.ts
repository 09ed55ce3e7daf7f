// The codes of Midjourney proxies, and failures with them.
import type { CallFailure } from '../../answers/call-failure.ts'
import { asFiniteNumber, parseJsonBytes, getMember, asText } from '../../json/json-value.ts'

export const SUBMITTED_CODE = 1
/** No account is available for drawing. */
export const NO_ACCOUNT_CODE = 3
/** The request is invalid. */
export const BAD_REQUEST = 4
/** No provider could be called. */
export const NOT_ASKED = 5
export const UPSTREAM_FAILED_CODE = 9
/** The drawing exists already, or a window waits to be filled in. */
export const ALREADY_EXISTS_CODE = 21
export const QUEUED_CODE = 22
export const QUEUE_FULL_CODE = 23
export const BANNED_WORD = 24
/** The rate limit is exceeded. */
export const SATURATED = 30

const STATUS: Readonly<Record<number, number>> = {
  [NO_ACCOUNT_CODE]: 503,
  [BAD_REQUEST]: 400,
  // The proxy reports a failure: no work was started.
  [UPSTREAM_FAILED_CODE]: 500,
  [QUEUE_FULL_CODE]: 429,
  [BANNED_WORD]: 400,
}

/** Builds the failure for a code. */
export const buildProxyFailure = (code: number | undefined, description: string, status?: number): CallFailure => ({
  status: status ?? (code === undefined ? 502 : (STATUS[code] ?? 502)),
  message: description === '' ? 'the provider says no reason' : description,
  type: 'upstream_error',
  code: code ?? null,
  param: null,
  source: 'upstream',
})

/** Reads an answer of a status other than 200. */
export function readErrorReply(status: number, body: Uint8Array): CallFailure {
  const answer = parseJsonBytes(body)
  const message = asText(getMember(answer, 'description')) ?? asText(getMember(answer, 'message')) ?? ''
  return buildProxyFailure(asFiniteNumber(getMember(answer, 'code')), message, status)
}

/** The words that clients check, by our error codes; other failures use the code itself. */
const WORDS: Readonly<Record<string, string>> = {
  invalid_json: 'bind_request_body_failed',
  // One word for submissions and one for polling, as clients know them.
  task_not_exist: 'task_not_found task_no_found',
  insufficient_user_quota: 'quota_not_enough',
  pre_consume_token_quota_failed: 'quota_not_enough',
}

/**
 * Writes `{"description", "type", "code"}`: the reason's word, its explanation, and the code that Midjourney's clients
 * know.
 */
export function writeErrorReply({ status, message, code, source }: CallFailure): Uint8Array {
  const word = typeof code === 'string' ? (WORDS[code] ?? code) : ''
  const shown = word === '' || word === 'drawing_invalid' ? message : `${word} ${message}`
  return new TextEncoder().encode(
    JSON.stringify({ description: shown, type: 'upstream_error', code: getProxyCode(status, code, source) }),
  )
}

function getProxyCode(status: number, code: CallFailure['code'], source: CallFailure['source']): number {
  if (typeof code === 'number' && source === 'upstream') return code
  if (status === 429) return SATURATED
  return status >= 500 ? NOT_ASKED : BAD_REQUEST
}
