// The codes of Midjourney proxies, and failures with them.
import type { CallFailure } from '../../answers/call-failure.ts'
import { asFiniteNumber, parseJsonBytes, getMember, asText } from '../../json/json-value.ts'
import { fail, words, type Words } from '../../../errors.ts'

export const SUBMITTED_CODE = 1
/** No account is available for drawing. */
export const NO_ACCOUNT_CODE = 3
/** The request is invalid. */
const BAD_REQUEST = 4
/** No provider could be called. */
const NOT_ASKED = 5
export const UPSTREAM_FAILED_CODE = 9
/** The drawing exists already, or a window waits to be filled in. */
export const ALREADY_EXISTS_CODE = 21
export const QUEUED_CODE = 22
export const QUEUE_FULL_CODE = 23
const BANNED_WORD = 24
/** The rate limit is exceeded. */
const SATURATED = 30

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

// The actions of a Midjourney proxy, the model names they are sold under, and the buttons and short texts that trigger
// them.

/** Actions, as in lists, and the model names that they are priced and routed by. */
export const DRAWING_ACTION_MODELS = {
  IMAGINE: 'mj_imagine',
  VARIATION: 'mj_variation',
  REROLL: 'mj_reroll',
  BLEND: 'mj_blend',
  MODAL: 'mj_modal',
  ZOOM: 'mj_zoom',
  SHORTEN: 'mj_shorten',
  HIGH_VARIATION: 'mj_high_variation',
  LOW_VARIATION: 'mj_low_variation',
  PAN: 'mj_pan',
  INPAINT: 'mj_inpaint',
  CUSTOM_ZOOM: 'mj_custom_zoom',
  DESCRIBE: 'mj_describe',
  UPSCALE: 'mj_upscale',
  SWAP_FACE: 'swap_face',
  UPLOAD: 'mj_upload',
} as const
export type DrawingAction = keyof typeof DRAWING_ACTION_MODELS

/** Speed and price of a drawing: the first part of its path, as in `/mj-turbo/mj/submit/imagine`. */
export const DRAWING_SPEED_MODES = ['fast', 'relax', 'turbo'] as const
type DrawingMode = (typeof DRAWING_SPEED_MODES)[number]

/** Returns the mode in a path, if any. */
export const findDrawingMode = (word: string | undefined): DrawingMode | undefined =>
  DRAWING_SPEED_MODES.find((mode) => mode === word)

/**
 * Returns the model name that an action is routed and priced by. With a mode it is a separate name
 * (`mj_turbo_imagine`), which falls back to the plain one if no channel lists it and it has no price
 * (`models/same-model.ts`).
 */
export function getActionModel(action: DrawingAction, mode?: DrawingMode): string {
  const model = DRAWING_ACTION_MODELS[action]
  // Another service, without modes, swaps faces.
  return mode === undefined ? model : model.replace(/^mj_/, `mj_${mode}_`)
}

/** Does the action only open a window? The submission that fills it in (MODAL) is charged. */
export const opensDrawingWindow = (action: string): boolean => action === 'INPAINT' || action === 'CUSTOM_ZOOM'

/** An action on an earlier drawing, and the index of its image. */
interface ButtonAction {
  action: DrawingAction
  /** From 1. */
  index: number
}

const buttons: readonly [is: (word: string) => boolean, action: DrawingAction, numbered?: true][] = [
  [(word) => word.includes('upsample'), 'UPSCALE', true],
  [(word) => word === 'variation', 'VARIATION', true],
  [(word) => word === 'low_variation', 'LOW_VARIATION'],
  [(word) => word === 'high_variation', 'HIGH_VARIATION'],
  [(word) => word.includes('pan'), 'PAN'],
  [(word) => word.includes('reroll'), 'REROLL'],
  [(word) => word === 'Outpaint', 'ZOOM'],
  [(word) => word === 'CustomZoom', 'CUSTOM_ZOOM'],
  [(word) => word === 'Inpaint', 'INPAINT'],
]

/**
 * Parses the id of a button: `MJ::JOB::upsample::2::…` upscales the second image.
 * @throws GatewayError drawing.invalid with unknown_action, index_parse_failed
 */
export function parseButton(customId: string): ButtonAction {
  const [, second, third, fourth = ''] = customId.split('::')
  const word = (second === 'JOB' ? third : second) ?? ''
  const [, action, numbered] = buttons.find(([is]) => is(word)) ?? rejectSubmission('unknown_action', customId)
  if (!numbered) return { action, index: 1 }
  return { action, index: /^\d{1,3}$/.test(fourth) ? Number(fourth) : rejectSubmission('index_parse_failed', customId) }
}

const LETTERS: Readonly<Record<string, DrawingAction>> = { U: 'UPSCALE', V: 'VARIATION', R: 'REROLL' }

/**
 * Parses `<task id> U2`, `<task id> V4` or `<task id> R`: upscale, vary, reroll.
 * @throws GatewayError drawing.invalid with content_parse_failed
 */
export function parseSimpleChange(content: string): ButtonAction & { follows: string } {
  const [, follows = '', one = '', which = '1'] =
    /^\s*(\S+)\s+([UV](?=[1-4]\s*$)|R(?=\s*$))([1-4])?\s*$/i.exec(content) ??
    rejectSubmission('content_parse_failed', content)
  return { follows, action: LETTERS[one.toUpperCase()]!, index: Number(which) }
}
