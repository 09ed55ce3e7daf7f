// Jimeng's videos at Volcengine's visual service: a single path, whose query has the action, and a model for each kind
// of video. https://www.volcengine.com/docs/85621/1792704 (720p), 1798092 (1080p) and 1777001 (Pro).
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
import { fitFilm, type FilmRequest, type FilmModel, type FilmPicture } from './film.ts'
import { requireNewFilm, groupPicturesByRole, refuseFilm } from './film-limits.ts'
import { buildSubmission, buildVideoFiles, getVideoUrl, createNativeVideoFormat } from './native-videos.ts'
import type {
  SubmissionResult,
  ParsedSubmission,
  TaskDialect,
  TaskRequest,
  TaskState,
  TaskStatus,
  TaskSubmission,
} from './task-dialect.ts'
import { keepRequestedUsage } from './task-dialect.ts'
import type { TaskFormat, PublicTask } from './task-format.ts'

const NAME = 'jimeng'
const VERSION = '2022-08-31'
const SUBMIT = 'CVSync2AsyncSubmitTask'
const RESULT = 'CVSync2AsyncGetResult'
const buildPath = (action: string) => `/?Action=${action}&Version=${VERSION}`

/** Frames per second; a video has one more. */
const RATE = 24
const toFrames = (seconds: number) => seconds * RATE + 1
const toSeconds = (frames: number) => Math.round((frames - 1) / RATE)

/** Model names that refer to a different model per kind of video. */
const KINDS: Readonly<Record<string, Readonly<Record<'text' | 'first' | 'last', string>>>> = {
  jimeng_v30: { text: 'jimeng_t2v_v30', first: 'jimeng_i2v_first_v30', last: 'jimeng_i2v_first_tail_v30' },
  jimeng_v30_1080p: {
    text: 'jimeng_t2v_v30_1080p',
    first: 'jimeng_i2v_first_v30_1080',
    last: 'jimeng_i2v_first_tail_v30_1080',
  },
}
const SHAPE = { seconds: [5, 10], ratios: ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'], sound: 'never' } as const
const lines = (name: string) => (/1080|pro/.test(name) ? ['1080p'] : ['720p'])

const models: readonly FilmModel[] = [
  ...Object.entries(KINDS).flatMap(([model, { text, first, last }]): FilmModel[] => [
    { ...SHAPE, model, resolutions: lines(model), pictures: { first: 1, last: 1 } },
    { ...SHAPE, model: text, resolutions: lines(model), pictures: {} },
    { ...SHAPE, model: first, resolutions: lines(model), pictures: { first: 1 }, needs: 'first' },
    { ...SHAPE, model: last, resolutions: lines(model), pictures: { first: 1, last: 1 }, needs: 'last' },
  ]),
  { ...SHAPE, model: 'jimeng_ti2v_v30_pro', resolutions: ['1080p'], pictures: { first: 1 } },
]

/** @throws GatewayError request.unreadable, request.no_model */
function read({ body }: TaskSubmission): ParsedSubmission {
  const given = parseRequestBody(body)
  const model = asText(given.req_key) ?? fail('request.no_model')
  const prompt = asText(given.prompt) ?? ''
  const bytes = (asList(given.binary_data_base64) ?? []).map((data) => `data:image/png;base64,${String(data)}`)
  const urls = [...(asList(given.image_urls) ?? []), ...bytes].flatMap((url) => asText(url) ?? [])
  const frames = asFiniteNumber(given.frames)
  const film = omitUndefinedMembers<FilmRequest>({
    prompt,
    seconds: frames === undefined ? undefined : toSeconds(frames),
    ratio: asText(given.aspect_ratio),
    seed: asFiniteNumber(given.seed),
    pictures: urls.map((url, at): FilmPicture => ({ url, as: at === 0 ? 'first' : 'last' })),
  })
  return { format: NAME, model, action: 'GENERATE', prompt, film, given }
}

/** @throws GatewayError film.unsupported */
function buildBody(ask: ParsedSubmission, model: string): JsonObject {
  const film = requireNewFilm(ask, model)
  const { first = [], last = [] } = groupPicturesByRole(film, model)
  const { prompt, seconds, ratio, seed } = fitFilm(film, model, models)
  const pictures = [...first, ...last]
  const bytes = pictures.flatMap((url) => /^data:[^,]*;base64,(.+)$/s.exec(url)?.[1] ?? [])
  if (bytes.length > 0 && bytes.length < pictures.length) refuseFilm(model, 'pictures', 'addresses', 'or bytes')
  const kind = last.length > 0 ? 'last' : first.length > 0 ? 'first' : 'text'
  return {
    req_key: KINDS[model]?.[kind] ?? model,
    prompt,
    seed,
    frames: toFrames(seconds),
    // A video that starts with an image has its aspect ratio.
    ...(pictures.length === 0 ? { aspect_ratio: ratio } : {}),
    ...(bytes.length > 0 ? { binary_data_base64: bytes } : pictures.length > 0 ? { image_urls: pictures } : {}),
  }
}

const buildStatusQuestion = (task_id: string, req_key: unknown): TaskRequest => ({
  method: 'POST',
  path: buildPath(RESULT),
  json: { req_key, task_id },
})

/** The code for success; any other also has an HTTP error status. */
const GOOD = 10_000

function accepted(answer: unknown, _: ParsedSubmission, { json }: { json?: JsonObject }): SubmissionResult {
  const task_id = asText(getMember(getMember(answer, 'data'), 'task_id'))
  const code = asFiniteNumber(getMember(answer, 'code')) ?? null
  if (task_id === undefined) {
    const message = asText(getMember(answer, 'message')) ?? 'the answer has no task in it'
    const status = code === 50_429 || code === 50_430 ? 429 : code === 50_500 || code === 50_501 ? 500 : 400
    return { refused: { status, message, type: 'upstream_error', code, param: null, source: 'upstream' } }
  }
  return { state: { upstream_id: task_id, status: 'QUEUED' }, look: buildStatusQuestion(task_id, json?.req_key) }
}

const STATUSES: Readonly<Record<string, TaskStatus>> = {
  in_queue: 'QUEUED',
  generating: 'IN_PROGRESS',
  done: 'SUCCESS',
  expired: 'FAILURE',
}

/**
 * Returns the state. A failed task is reported as a refusal with its reason; nothing is reported for an unknown one.
 */
function parseState(answer: unknown, upstream_id: string): TaskState | undefined {
  const data = asObject(getMember(answer, 'data'))
  if (!data) {
    const why = asText(getMember(answer, 'message')) ?? ''
    const isEnd = asFiniteNumber(getMember(answer, 'status')) === 400 && !why.startsWith('Input invalid')
    return isEnd ? { upstream_id, status: 'FAILURE', fail_reason: why } : undefined
  }
  const statusWord = asText(data.status) ?? ''
  if (statusWord === 'not_found') return undefined
  const status = STATUSES[statusWord] ?? 'UNKNOWN'
  const files = buildVideoFiles(data.video_url)
  if (status !== 'SUCCESS')
    return { upstream_id, status, data, ...(status === 'FAILURE' ? { fail_reason: statusWord } : {}) }
  if (files.length > 0) return { upstream_id, status, data, files }
  return { upstream_id, status: 'FAILURE', data, fail_reason: 'No video was made' }
}

export const jimengFilmTasks: TaskDialect = {
  name: NAME,
  operation: 'video',
  models,
  read,
  write: (ask, { model }) =>
    ask.format === NAME
      ? buildSubmission(buildPath(SUBMIT), ask.given, { req_key: model })
      : buildSubmission(buildPath(SUBMIT), buildBody(ask, model), {}),
  accepted,
  status: (id, model) => buildStatusQuestion(id, KINDS[model]?.text ?? model),
  states: (answer, [id = '']) => [parseState(answer, id) ?? []].flat(),
  used: keepRequestedUsage,
}

const WORDS: Readonly<Partial<Record<TaskStatus, string>>> = { IN_PROGRESS: 'generating', SUCCESS: 'done' }

const writeResult = (code: number, message: string, data: JsonObject | null): JsonObject => ({
  code,
  data,
  message,
  request_id: '',
  status: code,
  time_elapsed: '0ms',
})

/** The code of a failed video: the vendor uses it for results that its review rejected. */
const HELD = 50_511

function writeTask(task: PublicTask): JsonObject {
  if (task.status === 'FAILURE') return writeResult(HELD, task.fail_reason, null)
  return writeResult(GOOD, 'Success', { status: WORDS[task.status] ?? 'in_queue', video_url: getVideoUrl(task) ?? '' })
}

/** Error codes by HTTP status. */
const CODES: Readonly<Record<number, number>> = { 401: 50_400, 403: 50_400, 429: 50_430 }

const actionRoute = (Action: string) =>
  ({ method: 'POST', path: '/jimeng', query: { Action, Version: VERSION } }) as const

export const jimengTaskFormat: TaskFormat = createNativeVideoFormat({
  name: NAME,
  read,
  // The paths that other gateways use: the vendor itself has only the query.
  routes: [
    { ...actionRoute(SUBMIT), wants: 'submit' },
    { ...actionRoute(RESULT), wants: 'read', idIn: 'task_id' },
  ],
  prompts: (body) => [asText(getMember(parseJsonBytes(body), 'prompt'))],
  taken: ({ task_id }) => writeResult(GOOD, 'Success', { task_id }),
  writeTask,
  refuse: ({ status, message, request_id }) => ({
    ...writeResult(CODES[status] ?? (status < 500 ? 50_215 : 50_500), message, null),
    request_id: request_id ?? '',
  }),
})
