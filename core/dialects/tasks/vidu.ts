// Vidu's videos, as text-to-video, image-to-video, start-end-to-video, reference-to-video and get-generation of
// https://platform.vidu.com/docs describe them: a path for each kind of video.
import { fail } from '../../errors.ts'
import type { JsonObject } from '../json/json-value.ts'
import {
  asList,
  getMember,
  asFiniteNumber,
  asObject,
  parseJsonBytes,
  asText,
  omitUndefinedMembers,
} from '../json/json-value.ts'
import { parseRequestBody } from '../requests/request-body.ts'
import {
  buildSubmission,
  buildVideoFiles,
  createNativeVideoFormat,
  getVideoUrl,
  buildRejection,
  listWholeSeconds,
} from './native-videos.ts'
import { fitFilm, type FilmRequest, type FilmModel, type FilmPicture } from './film.ts'
import { requireNewFilm, groupPicturesByRole, refuseFilm } from './film-limits.ts'
import type {
  ParsedSubmission,
  TaskDialect,
  TaskRequest,
  TaskState,
  TaskStatus,
  TaskSubmission,
} from './task-dialect.ts'
import { keepRequestedUsage, parseTaskStatus } from './task-dialect.ts'
import type { TaskFormat, TaskRoute, PublicTask } from './task-format.ts'

const NAME = 'vidu'
const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4']
const THREE = ['720p', '1080p', '540p']
const Q3 = { seconds: listWholeSeconds(5, 1, 16), resolutions: THREE, ratios: RATIOS, sound: 'usually' } as const
const Q2 = { seconds: listWholeSeconds(5, 1, 10), resolutions: THREE, ratios: RATIOS, sound: 'never' } as const
const FRAMES = { first: 1, last: 1 }

const models: readonly FilmModel[] = [
  { model: /^viduq3-(pro|turbo)$/, ...Q3, pictures: FRAMES },
  { model: 'viduq3-pro-fast', ...Q3, pictures: { first: 1 }, needs: 'first' },
  { model: 'viduq3', ...Q3, seconds: listWholeSeconds(5, 3, 16), pictures: { reference: 7 }, needs: 'reference' },
  { model: 'viduq3-mix', ...Q3, resolutions: ['720p', '1080p'], pictures: { reference: 7 }, needs: 'reference' },
  { model: 'viduq2', ...Q2, pictures: { reference: 7 } },
  { model: 'viduq2-pro', ...Q2, pictures: { ...FRAMES, reference: 7 }, needs: 'picture' },
  { model: 'viduq2-turbo', ...Q2, pictures: FRAMES, needs: 'first' },
  { model: 'viduq2-pro-fast', ...Q2, resolutions: ['720p', '1080p'], pictures: FRAMES, needs: 'first' },
  {
    model: 'viduq1',
    seconds: [5],
    resolutions: ['1080p'],
    ratios: ['16:9', '9:16', '1:1'],
    sound: 'never',
    pictures: { ...FRAMES, reference: 7 },
  },
]
const KINDS = ['text2video', 'img2video', 'start-end2video', 'reference2video']
/** Maximum length of a video between two images, in seconds, for models with longer videos otherwise. */
const BETWEEN = 8

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
function read({ body, action }: TaskSubmission): ParsedSubmission {
  const kind = action ?? 'text2video'
  const given = parseRequestBody(body)
  const model = asText(given.model) ?? fail('request.no_model')
  const prompt = asText(given.prompt) ?? ''
  const urls = (asList(given.images) ?? []).flatMap((url) => asText(url) ?? [])
  const as = (at: number): FilmPicture['as'] => (kind === 'reference2video' ? 'reference' : at === 0 ? 'first' : 'last')
  const film = omitUndefinedMembers<FilmRequest>({
    prompt,
    seconds: asFiniteNumber(given.duration),
    resolution: asText(given.resolution),
    ratio: asText(given.aspect_ratio),
    sound: typeof given.audio === 'boolean' ? given.audio : undefined,
    seed: asFiniteNumber(given.seed),
    pictures: urls.map((url, at) => ({ url, as: as(at) })),
  })
  const hook = asText(given.callback_url)
  return { format: NAME, model, action: kind.toUpperCase(), prompt, film, ...(hook ? { hook } : {}), given }
}

export const viduFilmTasks: TaskDialect = {
  name: NAME,
  operation: 'video',
  models,
  read,
  write(ask, { model, callback }) {
    const changed = { model, callback_url: callback }
    if (ask.format === NAME) return buildSubmission(`/ent/v2/${ask.action.toLowerCase()}`, ask.given, changed)
    const requestedFilm = requireNewFilm(ask, model)
    const by = groupPicturesByRole(requestedFilm, model)
    const { prompt, seconds, resolution, ratio, sound, seed } = fitFilm(requestedFilm, model, models)
    const kind = by.reference ? 'reference2video' : by.last ? 'start-end2video' : by.first ? 'img2video' : 'text2video'
    if (kind === 'start-end2video' && model.startsWith('viduq2') && seconds > BETWEEN)
      refuseFilm(model, 'seconds between two pictures', `1 to ${BETWEEN}`)
    const images = [by.first, by.last, by.reference].flatMap((urls) => urls ?? [])
    const body = {
      prompt,
      duration: seconds,
      resolution,
      seed,
      // Videos from text and references have a ratio; the others take that of their images.
      ...(kind === 'text2video' || kind === 'reference2video' ? { aspect_ratio: ratio } : {}),
      ...(images.length > 0 ? { images } : {}),
      ...(model.startsWith('viduq3') ? { audio: sound } : {}),
    }
    return buildSubmission(`/ent/v2/${kind}`, body, changed)
  },
  accepted(answer) {
    const id = asText(getMember(answer, 'task_id'))
    if (!id) return buildRejection(asText(getMember(answer, 'message')), asText(getMember(answer, 'reason')))
    return { state: { upstream_id: id, status: 'QUEUED', data: asObject(answer) ?? {} }, look: buildStatusQuestion(id) }
  },
  status: buildStatusQuestion,
  states: (answer, ids) => [parseState(answer, ids[0] ?? '') ?? []].flat(),
  // The vendor reports the price in credits, which is fixed by the request.
  used: keepRequestedUsage,
  cancel: (id) => ({ method: 'POST', path: `/ent/v2/tasks/${encodeURIComponent(id)}/cancel`, json: { id } }),
}

function buildStatusQuestion(id: string): TaskRequest {
  return { method: 'GET', path: `/ent/v2/tasks/${encodeURIComponent(id)}/creations` }
}

const STATUSES: Readonly<Record<string, TaskStatus>> = {
  created: 'QUEUED',
  queueing: 'QUEUED',
  processing: 'IN_PROGRESS',
  success: 'SUCCESS',
  failed: 'FAILURE',
}

/** Parses the state. Older answers have no id: then it is the requested one. */
function parseState(answer: unknown, requestedId: string): TaskState | undefined {
  const data = asObject(answer)
  const status = parseTaskStatus(STATUSES, data?.state)
  if (!data || !status) return undefined
  const files = buildVideoFiles(getMember(getFilm(data), 'url'))
  return omitUndefinedMembers<TaskState>({
    upstream_id: asText(data.id) ?? requestedId,
    status,
    data,
    fail_reason: status === 'FAILURE' ? (asText(data.err_code) ?? 'failed') : undefined,
    files: files.length > 0 ? files : undefined,
  })
}

const getFilm = (data: unknown): unknown => asList(getMember(data, 'creations'))?.[0]

const buildRoutes = (base: string): TaskRoute[] => [
  ...KINDS.map((kind): TaskRoute => ({ method: 'POST', path: `${base}/${kind}`, wants: 'submit', action: kind })),
  { method: 'GET', path: `${base}/tasks/{id}/creations`, wants: 'read' },
]

const WORDS: Readonly<Partial<Record<TaskStatus, string>>> = {
  IN_PROGRESS: 'processing',
  SUCCESS: 'success',
  FAILURE: 'failed',
}

function writeTask({ task_id, status, fail_reason, data, ...task }: PublicTask): JsonObject {
  const url = getVideoUrl(task)
  const own = asText(data.state) ? data : {}
  return {
    ...own,
    id: task_id,
    state: WORDS[status] ?? 'queueing',
    err_code: fail_reason,
    creations: url ? [{ id: task_id, cover_url: '', ...asObject(getFilm(own)), url }] : [],
  }
}

/** Error reasons by HTTP status. */
const REASONS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  402: 'CreditInsufficient',
  403: 'Forbidden',
  404: 'TaskNotFound',
  429: 'QuotaExceeded',
}

export const viduTaskFormat: TaskFormat = createNativeVideoFormat({
  name: NAME,
  read,
  // The second prefix is the one that other gateways use.
  routes: [...buildRoutes('/ent/v2'), ...buildRoutes('/vidu/ent/v2')] as [TaskRoute, ...TaskRoute[]],
  prompts: (body) => [asText(getMember(parseJsonBytes(body), 'prompt'))],
  taken: ({ task_id, data }) => ({ ...data, task_id, state: 'created' }),
  writeTask,
  refuse: ({ status, message, request_id }) => ({
    code: status,
    reason: REASONS[status] ?? (status < 500 ? 'FieldInvalid' : 'InternalServiceFailure'),
    message,
    metadata: { trace_id: request_id ?? '' },
  }),
})
