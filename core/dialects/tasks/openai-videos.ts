// OpenAI's videos (`/v1/videos`): the common client format of all videos, and the format of OpenAI-compatible channels.
// OpenAI itself discontinued them on 24 September 2026; its clients and other gateways keep the format.
// https://platform.openai.com/docs/api-reference/videos
import { fail } from '../../errors.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asList, getMember, asFiniteNumber, asObject, parseJsonBytes, asText } from '../json/json-value.ts'
import { parseFailure } from '../openai-chat/error.ts'
import { createPassthroughDialect, buildPlainHead } from '../passing.ts'
import { parseRequestBody } from '../requests/request-body.ts'
import type { FilmRequest, FilmModel, FilmPicture } from './film.ts'
import { findFilmModel, fitFilm, formatPixelSize, parsePixelSize, getPriceFields } from './film.ts'
import type {
  ParsedSubmission,
  TaskDialect,
  TaskFile,
  TaskRequest,
  TaskState,
  TaskStatus,
  TaskSubmission,
} from './task-dialect.ts'
import type { TaskFormat, PublicTask } from './task-format.ts'

const NAME = 'openai-videos'
const PATH = '/v1/videos'
const USUAL_MODEL = 'sora-2'

/** OpenAI's own models; compatible channels may have others, whose requests are not checked. */
const models: readonly FilmModel[] = [
  {
    model: /^sora-2(-\d{4}-\d\d-\d\d)?$/,
    seconds: [4, 8, 12, 16, 20],
    resolutions: ['720p'],
    ratios: ['9:16', '16:9'],
    sound: 'always',
    pictures: { first: 1 },
    ended: '2026-09-24',
  },
  {
    model: /^sora-2-pro(-\d{4}-\d\d-\d\d)?$/,
    seconds: [4, 8, 12, 16, 20],
    resolutions: ['720p', '1024p', '1080p'],
    ratios: ['9:16', '16:9'],
    sound: 'always',
    pictures: { first: 1 },
    ended: '2026-09-24',
  },
]

/** @throws GatewayError request.unreadable, request.invalid */
function read({ body, path, action = 'GENERATE' }: TaskSubmission): ParsedSubmission {
  const given = parseRequestBody(body)
  const prompt = asText(given.prompt)
  if (!prompt) fail('request.invalid', { param: 'prompt', reason: 'prompt is required' })
  if (action === 'REMIX') return { format: NAME, model: '', action, prompt, follows: path.id, given }
  const film = parseFilm(given, prompt)
  return {
    format: NAME,
    action,
    prompt,
    film,
    given,
    model: asText(given.model) || USUAL_MODEL,
    details: { size: formatSize(film), seconds: film.seconds },
  }
}

/** Reads OpenAI's members, and those that videos of other vendors need. */
function parseFilm(given: JsonObject, prompt: string): FilmRequest {
  const { size, seconds, resolution, aspect_ratio, sound, generate_audio, seed, negative_prompt } = given
  const pixels = asText(size) === undefined ? undefined : parsePixelSize(asText(size) ?? '')
  if (size !== undefined && !pixels) refuse('size', 'size must be width x height in pixels, as 1280x720')
  const length = typeof seconds === 'string' ? Number(seconds) : asFiniteNumber(seconds)
  if (seconds !== undefined && !(length && length > 0)) refuse('seconds', 'seconds must be a number above 0')
  const withSound = sound ?? generate_audio
  return {
    prompt,
    ...pixels,
    pictures: parsePictures(given),
    ...(length ? { seconds: length } : {}),
    ...(asText(resolution) ? { resolution: asText(resolution) } : {}),
    ...(asText(aspect_ratio) ? { ratio: asText(aspect_ratio) } : {}),
    ...(withSound === undefined ? {} : { sound: withSound === true || withSound === 'true' }),
    ...(asFiniteNumber(seed) === undefined ? {} : { seed: asFiniteNumber(seed) }),
    ...(asText(negative_prompt) ? { negative_prompt: asText(negative_prompt) } : {}),
  }
}

const refuse = (param: string, reason: string): never => fail('request.invalid', { param, reason })

function parsePictures({ input_reference, last_frame, reference_images }: JsonObject): FilmPicture[] {
  const of = (value: unknown, as: FilmPicture['as']): FilmPicture[] => {
    const url = asText(value) ?? asText(getMember(value, 'image_url'))
    return url ? [{ url, as }] : []
  }
  const references = (asList(reference_images) ?? []).flatMap((each) => of(each, 'reference'))
  return [...of(input_reference, 'first'), ...of(last_frame, 'last'), ...references]
}

const formatSize = ({ resolution, ratio }: FilmRequest): string | undefined =>
  resolution && ratio ? formatPixelSize({ resolution, ratio }) : undefined

const WORDS: Readonly<Record<string, TaskStatus>> = {
  queued: 'QUEUED',
  in_progress: 'IN_PROGRESS',
  completed: 'SUCCESS',
  failed: 'FAILURE',
  cancelled: 'FAILURE',
}

function parseState(answer: unknown): TaskState | undefined {
  const reported = asObject(answer)
  const upstream_id = asText(reported?.id)
  if (!reported || !upstream_id) return undefined
  const status = WORDS[asText(reported.status) ?? ''] ?? 'UNKNOWN'
  return {
    upstream_id,
    status,
    data: reported,
    progress: asFiniteNumber(reported.progress) ?? 0,
    ...(status === 'FAILURE' ? { fail_reason: asText(getMember(reported.error, 'message')) ?? 'failed' } : {}),
    ...(status === 'SUCCESS' ? { files: [{ kind: 'video', url: `${PATH}/${upstream_id}/content`, keyed: true }] } : {}),
    finish_time: (asFiniteNumber(reported.completed_at) ?? 0) * 1000,
  }
}

const buildStatusQuestion = (id: string): TaskRequest => ({ method: 'GET', path: `${PATH}/${encodeURIComponent(id)}` })

export const openaiVideosTasks: TaskDialect = {
  name: NAME,
  operation: 'video',
  models,
  read,
  write({ format, action, film, given, prompt }, { model, follows }) {
    if (action === 'REMIX' && follows) {
      return { method: 'POST', path: `${PATH}/${encodeURIComponent(follows.upstream_id)}/remix`, json: { prompt } }
    }
    const fits = film && findFilmModel(model, models) ? fitFilm(film, model, models) : film
    const json = format === NAME ? { ...given, model } : filmJson(fits, model)
    return { method: 'POST', path: PATH, json, ...(hasFile(json) ? { form: true } : {}) }
  },
  accepted(answer) {
    const state = parseState(answer)
    if (state) return { state, look: buildStatusQuestion(state.upstream_id) }
    return { refused: parseFailure(asObject(getMember(answer, 'error')) ?? {}, 502) }
  },
  status: buildStatusQuestion,
  states: (answer) => [parseState(answer)].flatMap((state) => state ?? []),
  used(requested, { data }) {
    const seconds = Number(data?.seconds)
    return seconds > 0 && seconds !== requested.video_seconds ? { ...requested, video_seconds: seconds } : requested
  },
}

const filmJson = (film: FilmRequest | undefined, model: string): JsonObject => ({
  model,
  prompt: film?.prompt,
  ...(film?.seconds ? { seconds: String(film.seconds) } : {}),
  ...(film && formatSize(film) ? { size: formatSize(film) } : {}),
  ...(film?.pictures[0] ? { input_reference: film.pictures[0].url } : {}),
})

const hasFile = (json: JsonObject): boolean => Object.values(json).some((value) => asText(value)?.startsWith('data:'))

const STATUSES: Readonly<Partial<Record<TaskStatus, string>>> = {
  IN_PROGRESS: 'in_progress',
  MODAL: 'in_progress',
  SUCCESS: 'completed',
  FAILURE: 'failed',
}

const epochSeconds = (ms: number): number | null => (ms > 0 ? Math.floor(ms / 1000) : null)

/** Returns the expiry of the video; null if unknown. */
const getExpiry = (files: readonly TaskFile[]): number | null =>
  epochSeconds(files.find(({ kind }) => kind === 'video')?.until ?? 0)

const writeTask = ({ task_id, model, status, progress, fail_reason, details, ...task }: PublicTask): JsonObject => ({
  id: task_id,
  object: 'video',
  created_at: epochSeconds(task.submit_time),
  status: STATUSES[status] ?? 'queued',
  completed_at: status === 'SUCCESS' ? epochSeconds(task.finish_time) : null,
  expires_at: getExpiry(task.files),
  model,
  progress,
  prompt: task.prompt,
  seconds: details.seconds === undefined ? null : String(details.seconds),
  size: details.size ?? null,
  remixed_from_video_id: details.remixed_from ?? null,
  error: status === 'FAILURE' ? { code: 'video_generation_failed', message: fail_reason } : null,
})

export const openaiVideoFormat: TaskFormat = {
  ...createPassthroughDialect({
    name: NAME,
    operation: 'video',
    paths: [PATH],
    forms: true,
    headFields: {},
    usageKeys: [],
    head: ({ model }) => buildPlainHead(model),
    texts: (body) => [asText(getMember(parseJsonBytes(body), 'prompt')) ?? ''],
    usageOf: () => fail('upstream.unreadable'),
  }),
  operation: 'video',
  platform: 'video',
  ownIds: 'video_',
  routes: [
    { method: 'POST', path: PATH, wants: 'submit' },
    { method: 'POST', path: `${PATH}/{id}/remix`, wants: 'submit', action: 'REMIX' },
    { method: 'GET', path: PATH, wants: 'list' },
    { method: 'GET', path: `${PATH}/{id}`, wants: 'read' },
    { method: 'GET', path: `${PATH}/{id}/content`, wants: 'content' },
    { method: 'DELETE', path: `${PATH}/{id}`, wants: 'delete' },
  ],
  read,
  mayFollow(_, { status, task_id }) {
    if (status !== 'SUCCESS') fail('task.unfinished', { id: task_id })
  },
  headOf: ({ model, film }, origin) => ({
    ...buildPlainHead(model),
    ...(film ? { video_seconds: film.seconds, film: getPriceFields(film) } : {}),
    ...(origin ? { video_seconds: asFiniteNumber(origin.details.seconds), film: asObject(origin.details.film) } : {}),
  }),
  taken: writeTask,
  writeTask,
  writeTasks: (tasks, has_more) => ({
    object: 'list',
    data: tasks.map(writeTask),
    has_more,
    first_id: tasks[0]?.task_id ?? null,
    last_id: tasks.at(-1)?.task_id ?? null,
  }),
  deleted: ({ task_id }) => ({ id: task_id, object: 'video.deleted', deleted: true }),
}
