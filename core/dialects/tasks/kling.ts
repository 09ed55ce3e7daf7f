// Kling's videos, as "Video" of https://app.klingai.com/global/dev/document-api describes them: a path for each kind of
// video, under which it is also polled. The end dates of models are from
// https://docs.comfy.org/tutorials/partner-nodes/pricing.
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
import { toPriceForm } from '../requests/price-words.ts'
import { parseRequestBody } from '../requests/request-body.ts'
import {
  buildSubmission,
  buildVideoFiles,
  createNativeVideoFormat,
  getVideoUrl,
  buildRejection,
  listWholeSeconds,
} from './native-videos.ts'
import { fitFilm, type FilmRequest, type FilmModel, type FilmPicture, type FittedFilm } from './film.ts'
import { applyReportedUsage, refuseFilm, requireNewFilm } from './film-limits.ts'
import type {
  ParsedSubmission,
  TaskDialect,
  TaskRequest,
  TaskState,
  TaskStatus,
  TaskSubmission,
} from './task-dialect.ts'
import type { TaskFormat, TaskRoute, PublicTask } from './task-format.ts'

const NAME = 'kling'
const RATIOS = ['16:9', '9:16', '1:1']
const FRAMES = { first: 1, last: 1 }
const HD = ['720p', '1080p']
const ENDED = {
  seconds: [5, 10],
  resolutions: HD,
  ratios: RATIOS,
  pictures: FRAMES,
  sound: 'never',
  ended: '2026-09-15',
} as const

const models: readonly FilmModel[] = [
  {
    model: 'kling-v3',
    seconds: listWholeSeconds(5, 3, 15),
    resolutions: [...HD, '4k'],
    ratios: RATIOS,
    sound: 'choice',
    pictures: FRAMES,
  },
  {
    model: 'kling-v3-omni',
    seconds: listWholeSeconds(5, 3, 15),
    resolutions: ['1080p', '720p', '4k'],
    ratios: RATIOS,
    sound: 'choice',
    pictures: { ...FRAMES, reference: 7 },
  },
  {
    model: 'kling-video-o1',
    seconds: listWholeSeconds(5, 3, 10),
    resolutions: ['1080p', '720p'],
    ratios: RATIOS,
    sound: 'never',
    pictures: { ...FRAMES, reference: 7 },
  },
  { model: 'kling-v2-6', seconds: [5, 10], resolutions: HD, ratios: RATIOS, sound: 'choice', pictures: FRAMES },
  { model: 'kling-v2-5-turbo', seconds: [5, 10], resolutions: HD, ratios: RATIOS, sound: 'never', pictures: FRAMES },
  { model: 'kling-v1-5', ...ENDED },
  { model: 'kling-v1-6', ...ENDED, pictures: { ...FRAMES, reference: 4 } },
  { model: 'kling-v2-1', ...ENDED },
  { model: 'kling-v2-1-master', ...ENDED },
]
const KINDS = ['text2video', 'image2video', 'multi-image2video', 'omni-video']
const MODES: Readonly<Record<string, string>> = { std: '720p', pro: '1080p', '4k': '4k' }
/** Converts a mode to a resolution. An unknown mode stays as it is: it has no price either. */
function toResolution(mode: string | undefined): string | undefined {
  const word = mode === undefined ? '' : toPriceForm(mode)
  return Object.hasOwn(MODES, word) ? MODES[word] : word || undefined
}
const toMode = (resolution: string) => Object.keys(MODES).find((mode) => MODES[mode] === resolution)

/** Default models by kind of video. */
const USUAL: Readonly<Record<string, string>> = { 'multi-image2video': 'kling-v1-6', 'omni-video': 'kling-video-o1' }

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
function read({ body, action }: TaskSubmission): ParsedSubmission {
  const kind = action ?? 'text2video'
  const given = parseRequestBody(body)
  const model = asText(given.model_name) ?? asText(given.model) ?? USUAL[kind] ?? 'kling-v1'
  const prompt = asText(given.prompt) ?? ''
  const shots = asList(given.multi_prompt) ?? []
  if (prompt === '' && kind !== 'image2video' && shots.length === 0)
    fail('request.invalid', { param: 'prompt', reason: 'prompt must not be empty' })
  const film = omitUndefinedMembers<FilmRequest>({
    prompt,
    negative_prompt: asText(given.negative_prompt),
    seconds: given.duration === undefined ? undefined : Number(given.duration),
    resolution: toResolution(asText(given.mode)),
    ratio: asText(given.aspect_ratio),
    sound: given.sound === undefined ? undefined : given.sound === 'on',
    pictures: parsePictures(given),
  })
  const hook = asText(given.callback_url)
  return { format: NAME, model, action: kind.toUpperCase(), prompt, film, ...(hook ? { hook } : {}), given }
}

const AS: Readonly<Record<string, FilmPicture['as']>> = { first_frame: 'first', end_frame: 'last' }

function parsePictures({ image, image_tail, image_list }: JsonObject): FilmPicture[] {
  const listedPictures = (asList(image_list) ?? []).map((one) => ({
    url: asText(getMember(one, 'image_url')) ?? getMember(one, 'image'),
    as: AS[asText(getMember(one, 'type')) ?? ''] ?? ('reference' as const),
  }))
  const frames = [
    { url: image, as: 'first' as const },
    { url: image_tail, as: 'last' as const },
  ]
  return [...frames, ...listedPictures].flatMap(({ url, as }) => {
    const known = asText(url)
    // A value that is not an address is the image itself; other vendors require its type.
    return known ? [{ url: /^(https?|data):/.test(known) ? known : `data:image/png;base64,${known}`, as }] : []
  })
}

export const klingFilmTasks: TaskDialect = {
  name: NAME,
  operation: 'video',
  models,
  read,
  write(ask, { model, callback }) {
    const changed = { model: undefined, model_name: model, callback_url: callback }
    if (ask.format === NAME) return buildSubmission(`/v1/videos/${ask.action.toLowerCase()}`, ask.given, changed)
    const film = fitFilm(requireNewFilm(ask, model), model, models)
    if (film.sound && model === 'kling-v2-6' && film.resolution !== '1080p') refuseFilm(model, 'resolution', '1080p')
    const kind = chooseKind(model, film)
    return buildSubmission(`/v1/videos/${kind}`, buildBody(film, kind), changed)
  },
  accepted(answer, _, { path }) {
    const state = parseState(getMember(answer, 'data'))
    if (!state) return buildRejection(asText(getMember(answer, 'message')), asFiniteNumber(getMember(answer, 'code')))
    return { state, look: buildStatusQuestion(path, state.upstream_id) }
  },
  status: (id, model) => buildStatusQuestion(`/v1/videos/${chooseKind(model, { prompt: '', pictures: [] })}`, id),
  states: (answer) => [parseState(getMember(answer, 'data')) ?? []].flat(),
  used: applyReportedUsage,
}

const buildStatusQuestion = (path: string, id: string): TaskRequest => ({
  method: 'GET',
  path: `${path}/${encodeURIComponent(id)}`,
})

function chooseKind(model: string, { pictures }: FilmRequest): string {
  if (/omni|video-o1/.test(model)) return 'omni-video'
  if (pictures.some(({ as }) => as === 'reference')) return 'multi-image2video'
  return pictures.length > 0 ? 'image2video' : 'text2video'
}

/** Removes the `data:` prefix of an image. */
const stripDataPrefix = (url: string): string => url.replace(/^data:[^,]*,/, '')

function buildBody(film: FittedFilm, kind: string): JsonObject {
  const { prompt, negative_prompt, seconds, resolution, ratio, sound, pictures } = film
  const frame = (which: FilmPicture['as']) => {
    const url = pictures.find(({ as }) => as === which)?.url
    return url === undefined ? undefined : stripDataPrefix(url)
  }
  const pictured: Record<string, JsonObject> = {
    image2video: { image: frame('first'), image_tail: frame('last') },
    'multi-image2video': { image_list: pictures.map(({ url }) => ({ image: stripDataPrefix(url) })) },
    'omni-video': {
      image_list: pictures.map(({ url, as }) => ({
        image_url: stripDataPrefix(url),
        ...(as === 'reference' ? {} : { type: as === 'first' ? 'first_frame' : 'end_frame' }),
      })),
    },
  }
  return {
    prompt,
    negative_prompt,
    mode: toMode(resolution),
    duration: String(seconds),
    ...(sound ? { sound: 'on' } : {}),
    ...(kind === 'image2video' ? {} : { aspect_ratio: ratio }),
    ...pictured[kind],
  }
}

const STATUSES: Readonly<Record<string, TaskStatus>> = {
  submitted: 'QUEUED',
  processing: 'IN_PROGRESS',
  succeed: 'SUCCESS',
  failed: 'FAILURE',
}
/** "Generated images and videos will be cleared after 30 days." */
const KEPT_MS = 30 * 86_400_000

function parseState(data: unknown): TaskState | undefined {
  const reported = asObject(data)
  const upstream_id = asText(reported?.task_id)
  if (!reported || !upstream_id) return undefined
  const status = STATUSES[asText(reported.task_status) ?? ''] ?? 'UNKNOWN'
  const ended = asFiniteNumber(reported.updated_at) ?? 0
  const film = getVideo(reported)
  const files = buildVideoFiles(getMember(film, 'url'), ended > 0 ? ended + KEPT_MS : undefined)
  return omitUndefinedMembers<TaskState>({
    upstream_id,
    status,
    data: reported,
    fail_reason: status === 'FAILURE' ? (asText(reported.task_status_msg) ?? 'failed') : undefined,
    files: files.length > 0 ? files : undefined,
    used: { video_seconds: Number(getMember(film, 'duration')) || undefined },
    finish_time: status === 'SUCCESS' || status === 'FAILURE' ? ended : undefined,
  })
}

const getVideo = (data: unknown): unknown => asList(getMember(getMember(data, 'task_result'), 'videos'))?.[0]

const buildRoutes = (base: string): TaskRoute[] =>
  KINDS.flatMap((kind) => [
    { method: 'POST', path: `${base}/${kind}`, wants: 'submit', action: kind },
    { method: 'GET', path: `${base}/${kind}`, wants: 'list', action: kind },
    { method: 'GET', path: `${base}/${kind}/{id}`, wants: 'read', action: kind },
  ])

const WORDS: Readonly<Partial<Record<TaskStatus, string>>> = {
  IN_PROGRESS: 'processing',
  SUCCESS: 'succeed',
  FAILURE: 'failed',
}

function writeTask({
  task_id,
  status,
  fail_reason,
  data,
  submit_time,
  finish_time,
  start_time,
  ...task
}: PublicTask): JsonObject {
  const url = getVideoUrl(task)
  const own = asText(data.task_status) ? data : {}
  return {
    ...own,
    task_id,
    task_status: WORDS[status] ?? 'submitted',
    task_info: asObject(own.task_info) ?? {},
    ...(fail_reason ? { task_status_msg: fail_reason } : {}),
    created_at: submit_time,
    updated_at: finish_time || start_time || submit_time,
    ...(url ? { task_result: { videos: [{ id: task_id, ...asObject(getVideo(own)), url }] } } : {}),
  }
}

const good = (data: unknown, request_id: string): JsonObject => ({ code: 0, message: 'SUCCEED', request_id, data })

/** @throws GatewayError request.invalid */
function numbered(query: URLSearchParams, param: string, usual: number, most: number): number {
  const value = Number(query.get(param) ?? usual)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  return fail('request.invalid', { param, reason: `${param} must be from 1 to ${most}` })
}

/** Error codes by HTTP status. */
const CODES: Readonly<Record<number, number>> = {
  401: 1002,
  402: 1102,
  403: 1103,
  404: 1203,
  409: 1201,
  429: 1303,
  503: 5001,
  504: 5002,
}

export const klingTaskFormat: TaskFormat = createNativeVideoFormat({
  name: NAME,
  read,
  // The second prefix is the one that other gateways use.
  routes: [...buildRoutes('/v1/videos'), ...buildRoutes('/kling/v1/videos')] as [TaskRoute, ...TaskRoute[]],
  prompts: (body) => {
    const given = parseJsonBytes(body)
    const shots = asList(getMember(given, 'multi_prompt')) ?? []
    return [given, ...shots].flatMap((one) => [
      asText(getMember(one, 'prompt')),
      asText(getMember(one, 'negative_prompt')),
    ])
  },
  taken: (task) => good(writeTask(task), task.task_id),
  writeTask: (task) => good(writeTask(task), task.task_id),
  // "Callback Protocol": only the task.
  notice: writeTask,
  writeTasks: (tasks) => good(tasks.map(writeTask), ''),
  pageIn(query) {
    const [page, limit] = [numbered(query, 'pageNum', 1, 1000), numbered(query, 'pageSize', 30, 500)]
    return { limit, skip: (page - 1) * limit }
  },
  refuse: ({ status, message, request_id }) => ({
    code: CODES[status] ?? (status < 500 ? 1201 : 5000),
    message,
    request_id: request_id ?? '',
  }),
})
