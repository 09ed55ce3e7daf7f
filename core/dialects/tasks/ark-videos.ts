// Volcengine Ark's videos (Seedance), towards the provider and for clients of its API:
// https://www.volcengine.com/docs/82379/1520757 (create), 1521309 (read), 1521675 (list), 1521720 (delete).
import type { JsonObject } from '../json/json-value.ts'
import { asList, getMember, asFiniteNumber, asObject, parseJsonBytes, asText } from '../json/json-value.ts'
import { findDisguisedError, parseFailure } from '../openai-chat/error.ts'
import { parseRequestBody } from '../requests/request-body.ts'
import { fitFilm, getPriceFields, type FilmRequest, type FilmModel, type FilmPicture } from './film.ts'
import { applyReportedUsage, groupPicturesByRole, requireNewFilm } from './film-limits.ts'
import {
  buildSubmission,
  toEpochSeconds,
  createListPolling,
  createNativeVideoFormat,
  listWholeSeconds,
  formatTaskState,
} from './native-videos.ts'
import type { ParsedSubmission, TaskDialect, TaskFile, TaskState, TaskStatus, TaskSubmission } from './task-dialect.ts'
import type { PublicTask } from './task-format.ts'

const NAME = 'ark-videos'
export const ARK_PATH = '/api/v3/contents/generations/tasks'

const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9']

/** Ark's default is five seconds. */
const seconds = (least: number, most: number) => listWholeSeconds(5, least, most)

/**
 * Names with and without a date, of Ark in China (`doubao-`) and of BytePlus (`dreamina-` or no prefix), and custom
 * endpoints.
 */
const models: readonly FilmModel[] = [
  {
    model: /seedance-2-5/,
    seconds: seconds(4, 30),
    resolutions: ['720p', '480p', '1080p'],
    ratios: RATIOS,
    sound: 'usually',
    pictures: { first: 1, last: 1, reference: 30 },
  },
  {
    model: /seedance-2-0-(fast|mini)/,
    seconds: seconds(4, 15),
    resolutions: ['720p', '480p'],
    ratios: RATIOS,
    sound: 'usually',
    pictures: { first: 1, last: 1, reference: 9 },
  },
  {
    model: /seedance-2-0/,
    seconds: seconds(4, 15),
    resolutions: ['720p', '480p', '1080p', '4k'],
    ratios: RATIOS,
    sound: 'usually',
    pictures: { first: 1, last: 1, reference: 9 },
  },
  {
    model: /seedance-1-5-pro/,
    seconds: seconds(4, 12),
    resolutions: ['720p', '480p', '1080p'],
    ratios: RATIOS,
    sound: 'usually',
    pictures: { first: 1, last: 1 },
    ended: '2026-11-11',
  },
  {
    model: /seedance-1-0-pro-fast/,
    seconds: seconds(2, 12),
    resolutions: ['1080p', '720p', '480p'],
    ratios: RATIOS,
    sound: 'never',
    pictures: { first: 1 },
  },
  {
    model: /seedance-1-0/,
    seconds: seconds(2, 12),
    resolutions: ['1080p', '720p', '480p'],
    ratios: RATIOS,
    sound: 'never',
    pictures: { first: 1, last: 1 },
    ended: '2026-07-17',
  },
  {
    model: /^ep-/,
    seconds: seconds(2, 30),
    resolutions: ['720p', '480p', '1080p', '4k'],
    ratios: RATIOS,
    sound: 'usually',
    pictures: { first: 1, last: 1, reference: 30 },
  },
]

/** @throws GatewayError request.unreadable, request.no_model */
function read({ body }: TaskSubmission): ParsedSubmission {
  const given = parseRequestBody(body)
  const parts = asList(given.content) ?? []
  const prompt = parts.flatMap((part) => asText(getMember(part, 'text')) ?? []).join('\n')
  const { ratio, resolution, duration, generate_audio, seed } = given
  const film: FilmRequest = {
    prompt,
    pictures: parts.flatMap((part) => parsePicture(part) ?? []),
    ...(asText(resolution) ? { resolution: asText(resolution) } : {}),
    ...(asText(ratio) && ratio !== 'adaptive' ? { ratio: asText(ratio) } : {}),
    // -1 leaves it to the model: the actual length is charged.
    ...((asFiniteNumber(duration) ?? 0) > 0 ? { seconds: asFiniteNumber(duration) } : {}),
    ...(typeof generate_audio === 'boolean' ? { sound: generate_audio } : {}),
    ...(asFiniteNumber(seed) === undefined ? {} : { seed: asFiniteNumber(seed) }),
  }
  const hook = asText(given.callback_url)
  return {
    format: NAME,
    action: 'GENERATE',
    prompt,
    film,
    given,
    model: asText(given.model) ?? '',
    ...(hook ? { hook } : {}),
  }
}

const ROLES: Readonly<Record<FilmPicture['as'], string>> = {
  first: 'first_frame',
  last: 'last_frame',
  reference: 'reference_image',
}

function parsePicture(part: unknown): FilmPicture | undefined {
  const url = asText(getMember(getMember(part, 'image_url'), 'url'))
  if (!url) return undefined
  const role = getMember(part, 'role')
  return { url, as: role === ROLES.last ? 'last' : role === ROLES.reference ? 'reference' : 'first' }
}

/** @throws GatewayError film.unsupported */
function buildBody(ask: ParsedSubmission, model: string): JsonObject {
  const film = requireNewFilm(ask, model)
  const { prompt, resolution, ratio, seconds: duration, sound, seed } = fitFilm(film, model, models)
  const pictures = Object.entries(groupPicturesByRole(film, model)) as [FilmPicture['as'], string[]][]
  return {
    model,
    content: [
      { type: 'text', text: prompt },
      ...pictures.flatMap(([as, urls]) =>
        urls.map((url) => ({ type: 'image_url', image_url: { url }, role: ROLES[as] })),
      ),
    ],
    resolution,
    // A video that starts with an image takes its aspect ratio by default.
    ratio: film.ratio === undefined && pictures.length > 0 ? 'adaptive' : ratio,
    duration,
    ...(/seedance-1-0/.test(model) ? {} : { generate_audio: sound }),
    ...(seed === undefined ? {} : { seed }),
  }
}

const WORDS: Readonly<Record<string, TaskStatus>> = {
  queued: 'QUEUED',
  running: 'IN_PROGRESS',
  succeeded: 'SUCCESS',
  failed: 'FAILURE',
  expired: 'FAILURE',
  cancelled: 'FAILURE',
}

/** Lifetime of the download links. */
const LINK_MS = 24 * 3600 * 1000

function parseState(task: unknown): TaskState | undefined {
  const reported = asObject(task)
  const upstream_id = asText(reported?.id)
  if (!reported || !upstream_id) return undefined
  const statusWord = asText(reported.status) ?? ''
  const status = WORDS[statusWord] ?? 'UNKNOWN'
  const changed = (asFiniteNumber(reported.updated_at) ?? 0) * 1000
  const made = asFiniteNumber(reported.duration)
  return {
    upstream_id,
    status,
    data: reported,
    ...(status === 'FAILURE' ? { fail_reason: asText(getMember(reported.error, 'message')) ?? statusWord } : {}),
    ...(status === 'SUCCESS' ? { files: listFiles(reported.content, changed + LINK_MS), finish_time: changed } : {}),
    ...(status === 'SUCCESS' && made && made > 0
      ? {
          used: {
            video_seconds: made,
            film: getPriceFields({
              resolution: asText(reported.resolution),
              sound: typeof reported.generate_audio === 'boolean' ? reported.generate_audio : undefined,
            }),
          },
        }
      : {}),
  }
}

function listFiles(content: unknown, until: number): TaskFile[] {
  const film = asText(getMember(content, 'video_url'))
  const last = asText(getMember(content, 'last_frame_url'))
  return [
    ...(film ? [{ kind: 'video', url: film, until } as const] : []),
    ...(last ? [{ kind: 'image', url: last, until } as const] : []),
  ]
}

/** Pages of Ark's list have up to 100 tasks. */
const polling = createListPolling(ARK_PATH, 100)

export const arkVideosTasks: TaskDialect = {
  name: NAME,
  operation: 'video',
  models,
  read,
  write: (ask, { model, callback }) =>
    buildSubmission(ARK_PATH, ask.format === NAME ? ask.given : buildBody(ask, model), {
      model,
      callback_url: callback,
    }),
  accepted(answer) {
    const upstream_id = asText(getMember(answer, 'id'))
    if (upstream_id) return { state: { upstream_id, status: 'SUBMITTED' } }
    return { refused: findDisguisedError(answer) ?? parseFailure({}, 502) }
  },
  states: (answer) => (asList(getMember(answer, 'items')) ?? [answer]).flatMap((task) => parseState(task) ?? []),
  used: applyReportedUsage,
  grouped: polling,
  status: (id) => polling.question([id]),
  cancel: (upstreamId) => ({ method: 'DELETE', path: `${ARK_PATH}/${encodeURIComponent(upstreamId)}` }),
}

/** Members that only Ark reports. */
const BESIDE = [
  'usage',
  'seed',
  'framespersecond',
  'service_tier',
  'execution_expires_after',
  'generate_audio',
  'draft',
]

function writeTask({ task_id, model, status, fail_reason, files, data, details, ...times }: PublicTask): JsonObject {
  const of = (kind: TaskFile['kind']) => files.find((file) => file.kind === kind)?.url
  const content = status === 'SUCCESS' ? { video_url: of('video'), last_frame_url: of('image') } : undefined
  return {
    id: task_id,
    model,
    status: formatTaskState(status),
    error:
      status === 'FAILURE' ? { code: asText(getMember(data.error, 'code')) ?? 'failed', message: fail_reason } : null,
    created_at: toEpochSeconds(times.submit_time),
    updated_at: toEpochSeconds(times.finish_time || times.start_time || times.submit_time),
    content,
    duration: details.seconds,
    resolution: getMember(details.film, 'size'),
    ...Object.fromEntries(BESIDE.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]]))),
  }
}

export const arkVideoFormat = createNativeVideoFormat({
  name: NAME,
  ownIds: 'cgt-',
  routes: [
    { method: 'POST', path: ARK_PATH, wants: 'submit' },
    { method: 'GET', path: ARK_PATH, wants: 'list' },
    { method: 'GET', path: `${ARK_PATH}/{id}`, wants: 'read' },
    { method: 'DELETE', path: `${ARK_PATH}/{id}`, wants: 'delete' },
  ],
  read,
  prompts(body) {
    const parts = asList(getMember(parseJsonBytes(body), 'content')) ?? []
    return parts.flatMap((part) => asText(getMember(part, 'text')) ?? [])
  },
  taken: ({ task_id }) => ({ id: task_id }),
  writeTask,
  writeTasks: (tasks) => ({ items: tasks.map(writeTask), total: tasks.length }),
  deleted: () => ({}),
})
