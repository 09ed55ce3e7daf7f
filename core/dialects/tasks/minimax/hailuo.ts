// MiniMax's Hailuo at /v1: errors come with status 200, and the video is a file with a separate id.
// https://platform.minimax.io/docs/api-reference/ video-generation-t2v, -i2v, -fl2v, -s2v, -query and -download.
import { fail } from '../../../errors.ts'
import type { JsonObject } from '../../json/json-value.ts'
import { asList, getMember, asFiniteNumber, asObject, parseJsonBytes, asText } from '../../json/json-value.ts'
import { findDisguisedError } from '../../openai-chat/error.ts'
import { parseRequestBody } from '../../requests/request-body.ts'
import { fitFilm, type FilmModel, type FilmPicture } from '../film.ts'
import { requireNewFilm, groupPicturesByRole, refuseFilm } from '../film-limits.ts'
import { buildSubmission, getVideoUrl, buildVideoFiles, createNativeVideoFormat } from '../native-videos.ts'
import type {
  ParsedSubmission,
  TaskDialect,
  TaskRequest,
  TaskState,
  TaskStatus,
  TaskSubmission,
} from '../task-dialect.ts'
import { keepRequestedUsage, parseTaskStatus } from '../task-dialect.ts'
import type { PublicTask } from '../task-format.ts'
import { createAcceptance, buildTaskAsk, toMinimaxResolution, TASK_STATUS_WORDS } from './shared.ts'

const NAME = 'minimax-videos'
const SUBMIT = '/v1/video_generation'
const QUERY = '/v1/query/video_generation'
const FILE = '/v1/files/retrieve'

/** A video from text is in landscape format; a first image determines its own aspect ratio. */
const WIDE = { ratios: ['16:9'], sound: 'never' } as const

const models: readonly FilmModel[] = [
  {
    ...WIDE,
    model: /hailuo-2\.3-fast/i,
    seconds: [6, 10],
    resolutions: ['768p', '1080p'],
    pictures: { first: 1 },
    needs: 'first',
  },
  { ...WIDE, model: /hailuo-2\.3/i, seconds: [6, 10], resolutions: ['768p', '1080p'], pictures: { first: 1 } },
  {
    ...WIDE,
    model: /hailuo-02/i,
    seconds: [6, 10],
    resolutions: ['768p', '512p', '1080p'],
    pictures: { first: 1, last: 1 },
  },
  {
    ...WIDE,
    model: /^S2V-01$/i,
    seconds: [6],
    resolutions: ['720p'],
    pictures: { reference: 1 },
    needs: 'reference',
  },
  { ...WIDE, model: /^T2V-01(-|$)/i, seconds: [6], resolutions: ['720p'], pictures: {} },
  { ...WIDE, model: /^I2V-01(-|$)/i, seconds: [6], resolutions: ['720p'], pictures: { first: 1 }, needs: 'first' },
]

/** @throws GatewayError request.unreadable */
function read({ body }: TaskSubmission): ParsedSubmission {
  const given = parseRequestBody(body)
  const { first_frame_image, last_frame_image, subject_reference } = given
  const of = (url: unknown, as: FilmPicture['as']) => (asText(url) ? [{ url: asText(url) ?? '', as }] : [])
  const subjects = (asList(subject_reference) ?? []).flatMap((one) => asList(getMember(one, 'image')) ?? [])
  const pictures = [
    ...of(first_frame_image, 'first'),
    ...of(last_frame_image, 'last'),
    ...subjects.flatMap((url) => of(url, 'reference')),
  ]
  return buildTaskAsk(NAME, given, asText(given.prompt) ?? '', pictures)
}

/** @throws GatewayError film.unsupported */
function buildBody(ask: ParsedSubmission, model: string): JsonObject {
  const film = requireNewFilm(ask, model)
  const { prompt, seconds, resolution } = fitFilm(film, model, models)
  const { first, last, reference } = groupPicturesByRole(film, model)
  if (resolution === '1080p' && seconds !== 6) refuseFilm(model, 'seconds', '6 at 1080p')
  if (!first && resolution === '512p') refuseFilm(model, 'first picture', 'at least 1 at 512p')
  return {
    model,
    prompt,
    duration: seconds,
    resolution: toMinimaxResolution(resolution),
    ...(first ? { first_frame_image: first[0] } : {}),
    ...(last ? { last_frame_image: last[0] } : {}),
    ...(reference ? { subject_reference: [{ type: 'character', image: reference }] } : {}),
  }
}

/** Parses the state. Ids are numbers beyond JSON's precision, so they are texts in both directions. */
function parseState(answer: unknown, id: string): TaskState | undefined {
  const file = asObject(getMember(answer, 'file'))
  if (file) {
    const url = asText(file.download_url)
    if (!url) return undefined
    return { upstream_id: id, status: 'SUCCESS', files: buildVideoFiles(url), data: asObject(answer) }
  }
  const reported = asObject(answer)
  const upstream_id = asText(reported?.task_id)
  const status = parseTaskStatus(TASK_STATUS_WORDS, reported?.status)
  const failure = reported?.base_resp && !status ? findDisguisedError(answer) : undefined
  if (failure && failure.status !== 400) fail('upstream.refused', { status: failure.status })
  if (!reported || !upstream_id || !status) return undefined
  const file_id = asText(reported.file_id) ?? asFiniteNumber(reported.file_id)
  const why = asText(getMember(reported.base_resp, 'status_msg'))
  if (status === 'FAILURE') return { upstream_id, status, fail_reason: why ?? 'Fail', data: reported }
  if (status !== 'SUCCESS') return { upstream_id, status, data: reported }
  // The video is finished; its address takes another request.
  const { video_width, video_height } = reported
  return {
    upstream_id,
    status: 'IN_PROGRESS',
    progress: 99,
    details: { file_id, video_width, video_height },
    look: { method: 'GET', path: `${FILE}?file_id=${encodeURIComponent(String(file_id))}` },
  }
}

const buildStatusQuestion = (id: string): TaskRequest => ({
  method: 'GET',
  path: `${QUERY}?task_id=${encodeURIComponent(id)}`,
})

export const hailuoFilmTasks: TaskDialect = {
  name: NAME,
  operation: 'video',
  models,
  read,
  write: (ask, { model, callback: callback_url }) =>
    buildSubmission(SUBMIT, ask.format === NAME ? ask.given : buildBody(ask, model), { callback_url, model }),
  accepted: createAcceptance(buildStatusQuestion),
  status: buildStatusQuestion,
  states: (answer, [id = '']) => [parseState(answer, id)].flatMap((state) => state ?? []),
  used: keepRequestedUsage,
}

const STATUSES: Readonly<Partial<Record<TaskStatus, string>>> = {
  NOT_START: 'Preparing',
  SUBMITTED: 'Preparing',
  QUEUED: 'Queueing',
  SUCCESS: 'Success',
  FAILURE: 'Fail',
}
const WELL = { base_resp: { status_code: 0, status_msg: 'success' } }

/** Writes the task. Its file has the id of its task. */
function writeTask(task: PublicTask, action?: string): JsonObject {
  const { task_id, status, fail_reason, details, finish_time } = task
  if (action === 'FILE') {
    const created_at = Math.floor(finish_time / 1000)
    const about = { file_id: task_id, bytes: 0, created_at, filename: 'output_aigc.mp4', purpose: 'video_generation' }
    return { file: { ...about, download_url: getVideoUrl(task) ?? '' }, ...WELL }
  }
  const reply = { task_id, status: STATUSES[status] ?? 'Processing', file_id: status === 'SUCCESS' ? task_id : '' }
  if (status === 'FAILURE') return { ...reply, base_resp: { status_code: 1027, status_msg: fail_reason } }
  const { video_width, video_height } = details
  return { ...reply, ...(status === 'SUCCESS' ? { video_width, video_height } : {}), ...WELL }
}

/** Error codes by HTTP status. */
const CODES: Readonly<Record<number, number>> = { 401: 1004, 402: 1008, 429: 1002, 400: 2013, 404: 2013 }

export const hailuoTaskFormat = createNativeVideoFormat({
  name: NAME,
  ownIds: '',
  routes: [
    { method: 'POST', path: SUBMIT, wants: 'submit' },
    { method: 'GET', path: QUERY, wants: 'read', idIn: 'task_id' },
    { method: 'GET', path: FILE, wants: 'read', idIn: 'file_id', action: 'FILE' },
  ],
  read,
  prompts: (body) => [asText(getMember(parseJsonBytes(body), 'prompt'))],
  taken: ({ task_id }) => ({ task_id, ...WELL }),
  writeTask,
  refuse: ({ status, message }) => ({
    task_id: '',
    base_resp: { status_code: CODES[status] ?? 1000, status_msg: message },
  }),
})
