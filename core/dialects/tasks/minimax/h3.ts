// MiniMax's H3 at /v2, whose states include the link and are polled in batches.
// https://platform.minimax.io/docs/api-reference/ video-generation-v2-create, -v2-query, -v2-list and -v2-cancel.
import type { JsonObject } from '../../json/json-value.ts'
import { asList, getMember, asFiniteNumber, asObject, parseJsonBytes, asText } from '../../json/json-value.ts'
import { parseRequestBody } from '../../requests/request-body.ts'
import { fitFilm, getPriceFields, type FilmModel, type FilmPicture } from '../film.ts'
import { applyReportedUsage, groupPicturesByRole, requireNewFilm } from '../film-limits.ts'
import {
  buildSubmission,
  toEpochSeconds,
  getVideoUrl,
  buildVideoFiles,
  createListPolling,
  createNativeVideoFormat,
  listWholeSeconds,
  formatTaskState,
} from '../native-videos.ts'
import type { ParsedSubmission, TaskDialect, TaskState, TaskSubmission } from '../task-dialect.ts'
import type { PublicTask } from '../task-format.ts'
import { createAcceptance, buildTaskAsk, toMinimaxResolution, toCommonResolution, TASK_STATUS_WORDS } from './shared.ts'

const NAME = 'minimax-h3'
const SUBMIT = '/v2/video_generation'
const QUERY = '/v2/query/video_generation'

const SECONDS = listWholeSeconds(5, 4, 15)
const models: readonly FilmModel[] = [/^minimax-h3-max$/i, /^minimax-h3$/i].map((model, at) => ({
  model,
  seconds: SECONDS,
  resolutions: at === 0 ? ['768p', '480p'] : ['768p', '1440p'],
  ratios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
  sound: 'always',
  pictures: { first: 1, last: 1, reference: 9 },
}))

/** @throws GatewayError request.unreadable */
function read({ body }: TaskSubmission): ParsedSubmission {
  const given = parseRequestBody(body)
  const parts = asList(given.content) ?? []
  const pictures = parts.flatMap((part): FilmPicture[] => {
    const url = asText(getMember(getMember(part, 'image_url'), 'url'))
    const role = getMember(part, 'role')
    return url ? [{ url, as: role === 'last_frame' ? 'last' : role === 'reference_image' ? 'reference' : 'first' }] : []
  })
  return buildTaskAsk(NAME, given, parts.flatMap((part) => asText(getMember(part, 'text')) ?? []).join('\n'), pictures)
}

/** @throws GatewayError film.unsupported */
function buildBody(ask: ParsedSubmission, model: string): JsonObject {
  const film = requireNewFilm(ask, model)
  const { prompt, seconds, resolution, ratio } = fitFilm(film, model, models)
  const { first, last, reference } = groupPicturesByRole(film, model)
  const picture = (role: string) => (url: string) => ({ type: 'image_url', image_url: { url }, role })
  return {
    model,
    content: [
      { type: 'text', text: prompt },
      ...(first ?? []).map(picture('first_frame')),
      ...(last ?? []).map(picture('last_frame')),
      ...(reference ?? []).map(picture('reference_image')),
    ],
    resolution: toMinimaxResolution(resolution),
    duration: seconds,
    ratio: film.ratio === undefined && film.pictures.length > 0 ? 'adaptive' : ratio,
  }
}

function parseState(task: unknown): TaskState | undefined {
  const reported = asObject(task)
  const upstream_id = asText(reported?.id)
  if (!reported || !upstream_id) return undefined
  const statusWord = asText(reported.status) ?? ''
  const status = TASK_STATUS_WORDS[statusWord] ?? 'UNKNOWN'
  const url = asText(getMember(reported.content, 'url'))
  const seconds = asFiniteNumber(getMember(reported.usage, 'total_seconds')) || asFiniteNumber(reported.duration)
  const film = getPriceFields({
    resolution: toCommonResolution(asText(reported.resolution) ?? '') || undefined,
    sound: true,
  })
  return {
    upstream_id,
    status,
    data: reported,
    ...(status === 'FAILURE' ? { fail_reason: asText(getMember(reported.error, 'message')) ?? statusWord } : {}),
    ...(status === 'SUCCESS' && url ? { files: buildVideoFiles(url) } : {}),
    ...(status === 'SUCCESS' && seconds ? { used: { video_seconds: seconds, film } } : {}),
  }
}

const polling = createListPolling(QUERY, 50)

export const h3Tasks: TaskDialect = {
  name: NAME,
  operation: 'video',
  models,
  read,
  write: (ask, { model, callback: callback_url }) =>
    buildSubmission(SUBMIT, ask.format === NAME ? ask.given : buildBody(ask, model), { callback_url, model }),
  accepted: createAcceptance(() => undefined),
  states: (answer) =>
    (asList(getMember(answer, 'items')) ?? [getMember(answer, 'task')]).flatMap((task) => parseState(task) ?? []),
  used: applyReportedUsage,
  grouped: polling,
  status: (id) => polling.question([id]),
  cancel: (upstreamId) => ({ method: 'DELETE', path: `${SUBMIT}/${encodeURIComponent(upstreamId)}` }),
}

function writeTask(task: PublicTask): JsonObject {
  const { task_id, model, status, fail_reason, data, details, submit_time, start_time, finish_time } = task
  const { seconds, film } = details
  const size = asText(getMember(film, 'size'))
  return {
    id: task_id,
    model,
    status: formatTaskState(status),
    task_type: 'generation',
    created_at: toEpochSeconds(submit_time),
    updated_at: toEpochSeconds(finish_time || start_time || submit_time),
    duration: seconds,
    resolution: size === undefined ? undefined : toMinimaxResolution(size),
    ratio: data.ratio,
    ...(status === 'FAILURE'
      ? { error: { code: asText(getMember(data.error, 'code')) ?? '1027', message: fail_reason } }
      : {}),
    ...(status === 'SUCCESS' ? { content: { url: getVideoUrl(task) }, usage: data.usage } : {}),
  }
}

const KINDS: Readonly<Record<number, string>> = {
  400: 'bad_request_error',
  401: 'authorized_error',
  402: 'insufficient_balance_error',
  404: 'not_found_error',
  422: 'unprocessable_entity_error',
  429: 'rate_limit_error',
}

export const h3Format = createNativeVideoFormat({
  name: NAME,
  ownIds: '',
  routes: [
    { method: 'POST', path: SUBMIT, wants: 'submit' },
    { method: 'GET', path: QUERY, wants: 'list' },
    { method: 'GET', path: `${QUERY}/{id}`, wants: 'read' },
    { method: 'DELETE', path: `${SUBMIT}/{id}`, wants: 'delete' },
  ],
  read,
  prompts: (body) =>
    (asList(getMember(parseJsonBytes(body), 'content')) ?? []).map((part) => asText(getMember(part, 'text'))),
  taken: ({ task_id }) => ({ task_id }),
  writeTask: (task) => ({ task: writeTask(task) }),
  writeTasks: (tasks) => ({ items: tasks.map(writeTask), total: tasks.length }),
  deleted: () => ({}),
  refuse: ({ status, message }) => ({
    type: 'error',
    error: { type: KINDS[status] ?? 'server_error', message, http_code: String(status) },
  }),
})
