// The codes of Midjourney proxies, and failures with them.
import type { CallFailure } from '../../answers/call-failure.ts'
import { asFiniteNumber, parseJsonBytes, getMember, asText } from '../../json/json-value.ts'
import { fail, words, type Words } from '../../../errors.ts'

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

// The errors of submissions, in the words that clients of Midjourney proxies know, and their explanations.

/** The word, the request member that it refers to, and its explanation. Some are spelled as clients expect them. */
const reasons = {
  prompt_is_required: ['prompt', words('set prompt to the description of the drawing')],
  task_id_is_required: ['taskId', words('set taskId to the id of the drawing')],
  action_is_required: ['action', words('set action to UPSCALE, VARIATION or REROLL')],
  index_is_required: ['index', words('set index to the picture: 1, 2, 3 or 4')],
  content_is_required: ['content', words('set content to the id of a drawing and U1 to U4, V1 to V4 or R')],
  content_parse_failed: ['content', words('content is the id of a drawing, a blank, and U1 to U4, V1 to V4 or R')],
  custom_id_is_required: ['customId', words('set customId to the button that is pressed')],
  unknown_action: ['action', words('unknown action')],
  index_parse_failed: ['customId', words('the button does not name the picture')],
  sour_base64_and_target_base64_is_required: ['sourceBase64', words('give both faces: sourceBase64 and targetBase64')],
} as const satisfies Record<string, readonly [param: string, means: Words]>

/**
 * Refuses a submission; `said` is the invalid value in the request.
 * @throws GatewayError drawing.invalid
 */
export function rejectSubmission(word: keyof typeof reasons, value = ''): never {
  const [param, means] = reasons[word]
  const shown = value === '' ? '' : `:${value.slice(0, 200)}`
  return fail('drawing.invalid', { param, word: `${word}${shown}`, means })
}
