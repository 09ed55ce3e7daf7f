// Parses a submission to a Midjourney proxy by the last part of its path.
import { asFiniteNumber, asObject, asText, type JsonObject } from '../../json/json-value.ts'
import {
  DRAWING_ACTION_MODELS,
  type DrawingAction,
  findDrawingMode,
  parseButton,
  parseSimpleChange,
} from './actions.ts'
import { rejectSubmission } from './codes.ts'
import { fail } from '../../../errors.ts'
import type { ParsedSubmission, TaskRequest, TaskTarget } from '../task-dialect.ts'

/** The action, and the earlier drawing that it applies to. */
export interface DrawingSubmission {
  action: DrawingAction
  /** Index of the image among four, from 1. */
  index?: number
  /** The drawing that it continues, by the id that the caller knows. */
  follows?: string
  prompt: string
}

/** Actions on a drawing that may be submitted by name; windows can only be opened by their buttons. */
const CHANGES: readonly string[] = [
  ...(['UPSCALE', 'VARIATION', 'REROLL', 'ZOOM', 'PAN', 'HIGH_VARIATION', 'LOW_VARIATION'] as const),
]

const isChange = (action: string): action is DrawingAction =>
  action in DRAWING_ACTION_MODELS && CHANGES.includes(action)

const kinds = {
  imagine: ({ prompt }) => ({ action: 'IMAGINE', prompt: asText(prompt) ?? rejectSubmission('prompt_is_required') }),
  shorten: ({ prompt }) => ({ action: 'SHORTEN', prompt: asText(prompt) ?? rejectSubmission('prompt_is_required') }),
  describe: () => ({ action: 'DESCRIBE', prompt: '' }),
  blend: () => ({ action: 'BLEND', prompt: '' }),
  'upload-discord-images': () => ({ action: 'UPLOAD', prompt: '' }),
  swap: ({ sourceBase64, targetBase64 }) =>
    asText(sourceBase64) !== undefined && asText(targetBase64) !== undefined
      ? { action: 'SWAP_FACE', prompt: 'InsightFace' }
      : rejectSubmission('sour_base64_and_target_base64_is_required'),
  change({ taskId, action, index }) {
    const follows = toId(taskId) ?? rejectSubmission('task_id_is_required')
    const word = (asText(action) ?? rejectSubmission('action_is_required')).toUpperCase()
    if (!isChange(word)) rejectSubmission('unknown_action', word)
    // All four are drawn again, so no index is needed.
    if (word === 'REROLL') return { action: word, follows, prompt: '' }
    const which = asFiniteNumber(index) ?? 0
    if (!Number.isInteger(which) || which < 1 || which > 4) rejectSubmission('index_is_required')
    return { action: word, index: which, follows, prompt: '' }
  },
  'simple-change': ({ content }) => ({
    ...parseSimpleChange(asText(content) ?? rejectSubmission('content_is_required')),
    prompt: '',
  }),
  action({ taskId, customId }) {
    const button = asText(customId) ?? rejectSubmission('custom_id_is_required')
    return { ...parseButton(button), follows: toId(taskId) ?? rejectSubmission('task_id_is_required'), prompt: '' }
  },
  modal: ({ taskId, prompt }) => ({
    action: 'MODAL',
    follows: toId(taskId) ?? rejectSubmission('task_id_is_required'),
    prompt: asText(prompt) ?? '',
  }),
} as const satisfies Record<string, (body: JsonObject) => DrawingSubmission>

/** The last part of a submission's path: `imagine`, `swap` and so on. */
export type SubmissionKind = keyof typeof kinds

/** Returns the path of a submission after `/mj/`. */
export const getSubmissionPath = (kind: SubmissionKind): string =>
  kind === 'swap' ? 'insight-face/swap' : `submit/${kind}`

export const SUBMISSION_KINDS = Object.keys(kinds) as SubmissionKind[]

/**
 * Parses a submission.
 * @throws GatewayError drawing.invalid with the words of Midjourney proxies
 */
export const parseSubmission = (kind: SubmissionKind, body: JsonObject): DrawingSubmission => kinds[kind](body)

/** Returns an id as text. Some clients write ids as numbers. */
const toId = (id: unknown): string | undefined => asText(id) ?? (Number.isSafeInteger(id) ? String(id) : undefined)

// Converts a submission for a Midjourney proxy: the caller's body with the proxy's ids, limited by the operator's
// settings.

// Removes speed flags from a prompt.

/** Midjourney accepts an em dash for two hyphens, as telephones write it. */
const MODE_WORD = /(^|\s+)(?:--|—)(?:fast|relax|turbo)(?=\s|$)/gi

/** Removes `--fast`, `--relax` and `--turbo` from the prompt; the rest is unchanged. */
export const removeModeFlags = (prompt: string): string => {
  const cleared = prompt.replace(MODE_WORD, '')
  return cleared === prompt ? prompt : cleared.trim()
}

/** Returns the request to the proxy; the mode is part of the path if the proxy supports modes. */
export function buildProxySubmission({ given }: ParsedSubmission, to: TaskTarget, knowsModes: boolean): TaskRequest {
  const { kind, mode, body } = given
  const place = getSubmissionPath(SUBMISSION_KINDS.find((one) => one === kind) ?? fail('request.unknown_path'))
  const prefix = knowsModes && findDrawingMode(asText(mode)) !== undefined ? `/mj-${String(mode)}` : ''
  return { method: 'POST', path: `${prefix}/mj/${place}`, json: asAllowed(asObject(body) ?? {}, to) }
}

function asAllowed(body: JsonObject, { follows, callback, settings }: TaskTarget): JsonObject {
  const { accountFilter, notifyHook: _, ...json } = body
  if (accountFilter !== undefined && settings.MjAccountFilterEnabled) json.accountFilter = accountFilter
  // The caller's callback address is not forwarded: Weir sends the notifications itself.
  if (callback !== undefined && settings.MjNotifyEnabled) json.notifyHook = callback
  if (typeof json.prompt === 'string' && settings.MjModeClearEnabled) json.prompt = removeModeFlags(json.prompt)
  if (follows && json.taskId !== undefined) json.taskId = follows.upstream_id
  if (follows && typeof json.content === 'string')
    json.content = json.content.trim().replace(/^\S+/, follows.upstream_id)
  return json
}
