// Midjourney's proxies: drawings, and the actions of their buttons. https://github.com/novicezk/midjourney-proxy and
// its Plus edition; docs/relay.md describes how each code is handled.
import { fail } from '../../../errors.ts'
import { asList, asText, asFiniteNumber, asObject, type JsonObject } from '../../json/json-value.ts'
import { createPassthroughDialect, buildPlainHead, buildKnownUsage } from '../../passing.ts'
import { parseRequestBody } from '../../requests/request-body.ts'
import type { TaskDialect, TaskRequest, TaskSubmission, ParsedSubmission, TaskTarget } from '../task-dialect.ts'
import { keepRequestedUsage } from '../task-dialect.ts'
import type { TaskFormat, TaskRoute } from '../task-format.ts'
import type { DrawingAction } from './codes.ts'
import {
  getActionModel,
  findDrawingMode,
  DRAWING_SPEED_MODES,
  DRAWING_ACTION_MODELS,
  parseButton,
  parseSimpleChange,
  readErrorReply,
  writeErrorReply,
  rejectSubmission,
} from './codes.ts'
import { parseAcceptance, parseTaskStates, writeAcceptance, writeDrawing, toId } from './answer.ts'

/** The action, and the earlier drawing that it applies to. */
interface DrawingSubmission {
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
type SubmissionKind = keyof typeof kinds

/** Returns the path of a submission after `/mj/`. */
const getSubmissionPath = (kind: SubmissionKind): string => (kind === 'swap' ? 'insight-face/swap' : `submit/${kind}`)

export const SUBMISSION_KINDS = Object.keys(kinds) as SubmissionKind[]

/**
 * Parses a submission.
 * @throws GatewayError drawing.invalid with the words of Midjourney proxies
 */
export const parseSubmission = (kind: SubmissionKind, body: JsonObject): DrawingSubmission => kinds[kind](body)

/** Returns an id as text. Some clients write ids as numbers. */

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
function buildProxySubmission({ given }: ParsedSubmission, to: TaskTarget, knowsModes: boolean): TaskRequest {
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

const NAME = 'midjourney'

function read({ body, path, action }: TaskSubmission): ParsedSubmission {
  const request = parseRequestBody(body)
  const kind = SUBMISSION_KINDS.find((one) => one === action) ?? fail('request.unknown_path')
  const mode = findDrawingMode(path.mode)
  const parsedSubmission = parseSubmission(kind, request)
  return {
    format: NAME,
    model: getActionModel(parsedSubmission.action, mode),
    action: parsedSubmission.action,
    prompt: parsedSubmission.prompt,
    follows: parsedSubmission.follows,
    hook: asText(request.notifyHook),
    given: { kind, mode, body: request },
  }
}

/** Maximum number of ids per request; more are split. */
const MOST_AT_ONCE = 100
/** A window that its caller does not fill in is closed after this time. */
const WINDOW_MINUTES = 30

const buildBatchQuestion = (ids: readonly string[]): TaskRequest => ({
  method: 'POST',
  path: '/mj/task/list-by-condition',
  json: { ids: [...ids] },
})

const dialect = (knowsModes: boolean): TaskDialect => ({
  name: NAME,
  operation: 'drawing',
  read,
  write: (ask, to) => buildProxySubmission(ask, to, knowsModes),
  accepted: parseAcceptance,
  states: parseTaskStates,
  used: keepRequestedUsage,
  seed: (id) => ({ method: 'GET', path: `/mj/task/${encodeURIComponent(id)}/image-seed` }),
  cancel: (id) => ({ method: 'POST', path: `/mj/task/${encodeURIComponent(id)}/cancel` }),
  grouped: { most: MOST_AT_ONCE, question: buildBatchQuestion },
  status: (id) => buildBatchQuestion([id]),
})

/** Plus and gateways like this one have modes in the path; other proxies have a single account with its mode. */
export const midjourneyProxyTasks = dialect(false)
export const midjourneyProxyPlus = dialect(true)

export const midjourneyTaskFormat: TaskFormat = {
  ...createPassthroughDialect({
    name: NAME,
    operation: 'drawing',
    paths: ['/mj/submit/imagine'],
    headFields: {},
    head: ({ model }) => ({ ...buildPlainHead(model), tasks: 1 }),
    texts: (body) => [asText(parseRequestBody(body).prompt) ?? ''].filter((text) => text !== ''),
    usageKeys: [],
    usageOf: (_, { tasks }) => buildKnownUsage({ tasks }),
  }),
  readErrorReply,
  writeErrorReply,
  operation: 'drawing',
  platform: 'mj',
  routes: ['/mj', `/mj-{mode=${DRAWING_SPEED_MODES.join('|')}}/mj`].flatMap((base): TaskRoute[] => [
    ...SUBMISSION_KINDS.map((kind) => ({
      method: 'POST' as const,
      path: `${base}/${getSubmissionPath(kind)}`,
      wants: 'submit' as const,
      action: kind,
    })),
    { method: 'GET', path: `${base}/task/{id}/fetch`, wants: 'read' },
    { method: 'POST', path: `${base}/task/list-by-condition`, wants: 'many' },
    { method: 'GET', path: `${base}/task/{id}/image-seed`, wants: 'seed' },
    { method: 'POST', path: `${base}/notify`, wants: 'notify', idIn: 'id' },
    // The id itself is a secret, so no key is required.
    { method: 'GET', path: `${base}/image/{id}`, wants: 'image' },
  ]),
  read,
  headOf: ({ model }) => ({ ...buildPlainHead(model), tasks: 1 }),
  taken: writeAcceptance,
  writeTask: writeDrawing,
  // The submission that fills in a window may keep its id: the newest task is returned.
  writeTasks: (tasks) =>
    [...new Map(tasks.toReversed().map((task) => [task.task_id, writeDrawing(task)])).values()].reverse(),
  idsIn: ({ ids }) => (asList(ids) ?? []).map(String),
  minutes: ({ status }) => (status === 'MODAL' ? WINDOW_MINUTES : undefined),
  mayFollow({ action }, { task_id, status }, { MjActionCheckSuccessEnabled }) {
    // A window waits to be filled in, so it has not succeeded yet.
    if (action !== 'MODAL' && MjActionCheckSuccessEnabled && status !== 'SUCCESS')
      fail('task.unfinished', { id: task_id })
  },
}
