// Alibaba's Wan at DashScope, as "Wan3.0 - video generation", "Wan2.7" and "Wan text-to-video (2.1-2.6)" of
// https://www.alibabacloud.com/help/en/model-studio describe it. Images are a list from generation 2.7 on, a single
// member before.
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
import type { FilmRequest, FilmModel, FilmPicture, FittedFilm } from './film.ts'
import { fitFilm, parsePixelSize, getPriceFields } from './film.ts'
import { applyReportedUsage, refuseFilm, requireNewFilm } from './film-limits.ts'
import type {
  ParsedSubmission,
  TaskDialect,
  TaskRequest,
  TaskState,
  TaskStatus,
  TaskSubmission,
} from './task-dialect.ts'
import { parseTaskStatus } from './task-dialect.ts'
import type { TaskFormat, PublicTask } from './task-format.ts'

const NAME = 'wan'
const SUBMIT = '/api/v1/services/aigc/video-generation/video-synthesis'
const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4']
const FULL = {
  seconds: listWholeSeconds(5, 2, 15),
  resolutions: ['1080p', '720p'],
  ratios: RATIOS,
  sound: 'always',
} as const
const ALL = ['1080p', '720p', '480p']

const models: readonly FilmModel[] = [
  {
    model: 'wan3.0-video',
    seconds: listWholeSeconds(5, 2, 30),
    resolutions: ALL,
    ratios: RATIOS,
    sound: 'always',
    pictures: { first: 1, last: 1, reference: 10 },
  },
  { model: 'wan2.7-t2v', ...FULL, pictures: {} },
  {
    model: 'wan2.7-i2v',
    ...FULL,
    pictures: { first: 1, last: 1 },
    needs: 'first',
  },
  {
    model: 'wan2.7-r2v',
    ...FULL,
    pictures: { first: 1, reference: 5 },
    needs: 'reference',
  },
  { model: 'wan2.6-t2v', ...FULL, pictures: {} },
  {
    model: 'wan2.6-i2v',
    ...FULL,
    pictures: { first: 1 },
    needs: 'first',
  },
  { model: 'wan2.5-t2v-preview', seconds: [5, 10], resolutions: ALL, ratios: RATIOS, sound: 'always', pictures: {} },
  {
    model: 'wan2.5-i2v-preview',
    seconds: [5, 10],
    resolutions: ALL,
    ratios: RATIOS,
    sound: 'always',
    pictures: { first: 1 },
    needs: 'first',
  },
]

/** Actual sizes that differ from those computed from the ratio. */
const SIZES: Readonly<Record<string, string>> = {
  '480p 16:9': '832*480',
  '480p 9:16': '480*832',
  '480p 1:1': '624*624',
  '720p 16:9': '1280*720',
  '720p 9:16': '720*1280',
  '720p 1:1': '960*960',
  '720p 4:3': '1088*832',
  '720p 3:4': '832*1088',
  '1080p 16:9': '1920*1080',
  '1080p 9:16': '1080*1920',
  '1080p 1:1': '1440*1440',
  '1080p 4:3': '1632*1248',
  '1080p 3:4': '1248*1632',
}

const isNewer = (model: string): boolean => /^wan(?:2\.[7-9]|[3-9])/.test(model)
const AS: Readonly<Record<string, FilmPicture['as']>> = {
  first_frame: 'first',
  last_frame: 'last',
  reference_image: 'reference',
}

/** @throws GatewayError request.unreadable, request.no_model */
function read({ body }: TaskSubmission): ParsedSubmission {
  const given = parseRequestBody(body)
  const model = asText(given.model) ?? fail('request.no_model')
  const { prompt, negative_prompt, img_url, media } = asObject(given.input) ?? {}
  const { size, resolution, ratio, duration, seed } = asObject(given.parameters) ?? {}
  const listedPictures = (asList(media) ?? []).flatMap((one): FilmPicture[] => {
    const [url, as] = [asText(getMember(one, 'url')), AS[asText(getMember(one, 'type')) ?? '']]
    return url && as ? [{ url, as }] : []
  })
  const first = asText(img_url)
  const film = omitUndefinedMembers<FilmRequest>({
    prompt: asText(prompt) ?? '',
    negative_prompt: asText(negative_prompt),
    seconds: asFiniteNumber(duration),
    ...parseSize(asText(size)),
    ...omitUndefinedMembers({ resolution: asText(resolution), ratio: asText(ratio) }),
    seed: asFiniteNumber(seed),
    pictures: first ? [{ url: first, as: 'first' }, ...listedPictures] : listedPictures,
  })
  return { format: NAME, model, action: 'GENERATE', prompt: film.prompt, film, given }
}

function parseSize(given: string | undefined): Pick<FilmRequest, 'resolution' | 'ratio'> {
  if (given === undefined) return {}
  const size = toPriceForm(given)
  const [found] = Object.entries(SIZES).find(([, pixels]) => pixels === size) ?? []
  const [resolution, ratio] = found?.split(' ') ?? []
  return resolution ? { resolution, ratio } : (parsePixelSize(size.replace('*', 'x')) ?? { resolution: size })
}

export const wanFilmTasks: TaskDialect = {
  name: NAME,
  operation: 'video',
  models,
  read,
  write(ask, { model }) {
    const film = ask.format === NAME ? undefined : fitFilm(requireNewFilm(ask, model), model, models)
    const given = film ? { input: buildInput(film, model), parameters: buildParameters(film, model) } : ask.given
    return { ...buildSubmission(SUBMIT, given, { model }), headers: { 'x-dashscope-async': 'enable' } }
  },
  accepted(answer) {
    const state = parseState(answer)
    if (!state) return buildRejection(asText(getMember(answer, 'message')), asText(getMember(answer, 'code')))
    return { state, look: buildStatusQuestion(state.upstream_id) }
  },
  status: buildStatusQuestion,
  states: (answer) => [parseState(answer) ?? []].flat(),
  used: applyReportedUsage,
  cancel: (id) => ({ method: 'POST', path: `${TASKS}${encodeURIComponent(id)}/cancel` }),
}

const TASKS = '/api/v1/tasks/'

function buildStatusQuestion(id: string): TaskRequest {
  return { method: 'GET', path: TASKS + encodeURIComponent(id) }
}

function buildInput({ prompt, negative_prompt, pictures }: FittedFilm, model: string): JsonObject {
  const fields = { prompt, ...(model.startsWith('wan3') ? {} : { negative_prompt }) }
  if (!isNewer(model)) return { ...fields, img_url: pictures[0]?.url }
  if (model.startsWith('wan3') && new Set(pictures.map(({ as }) => as === 'reference')).size > 1)
    refuseFilm(model, 'pictures', 'first and last, or references')
  const toMediaType = (which: FilmPicture['as']) => Object.keys(AS).find((type) => AS[type] === which)
  const media = pictures.map(({ url, as }) => ({ type: toMediaType(as), url }))
  return { ...fields, ...(media.length > 0 ? { media } : {}) }
}

function buildParameters({ seconds, resolution, ratio, seed, pictures }: FittedFilm, model: string): JsonObject {
  const common = { duration: seconds, ...(seed === undefined ? {} : { seed }) }
  if (isNewer(model) || pictures.length > 0)
    return {
      resolution: resolution.toUpperCase(),
      ...(pictures.some(({ as }) => as !== 'reference') ? {} : { ratio }),
      ...common,
    }
  const size = SIZES[`${resolution} ${ratio}`] ?? refuseFilm(model, 'ratio', '16:9, 9:16, 1:1')
  return { size, ...common }
}

const STATUSES: Readonly<Record<string, TaskStatus>> = {
  PENDING: 'QUEUED',
  RUNNING: 'IN_PROGRESS',
  SUSPENDED: 'QUEUED',
  SUCCEEDED: 'SUCCESS',
  FAILED: 'FAILURE',
  CANCELED: 'FAILURE',
}
/** "The URL is valid for 24 hours." */
const KEPT_MS = 86_400_000

/** Parses the state. Unknown tasks also have a status, `UNKNOWN`, which counts as none. */
function parseState(answer: unknown): TaskState | undefined {
  const data = asObject(answer)
  const output = asObject(data?.output)
  const upstream_id = asText(output?.task_id)
  const status = parseTaskStatus(STATUSES, output?.task_status)
  if (!data || !output || !upstream_id || !status || output.task_status === 'UNKNOWN') return undefined
  const ended = parseTime(output.end_time)
  const files = buildVideoFiles(output.video_url, ended && ended + KEPT_MS)
  const failReason = asText(output.message) ?? (output.task_status === 'CANCELED' ? 'canceled' : 'failed')
  return omitUndefinedMembers<TaskState>({
    upstream_id,
    status,
    data,
    fail_reason: status === 'FAILURE' ? failReason : undefined,
    files: files.length > 0 ? files : undefined,
    used: parseUsed(data.usage),
    start_time: parseTime(output.scheduled_time),
    finish_time: ended,
    prompt_en: asText(output.actual_prompt),
  })
}

/** Parses the usage. The length includes input videos. */
function parseUsed(usage: unknown): TaskState['used'] {
  const lines = asFiniteNumber(getMember(usage, 'SR'))
  const video_seconds =
    asFiniteNumber(getMember(usage, 'duration')) ?? asFiniteNumber(getMember(usage, 'video_duration'))
  return { video_seconds, ...(lines ? { film: getPriceFields({ resolution: `${lines}p` }) } : {}) }
}

/** Parses a time such as `2026-11-23 10:01:00.000`, in China's time zone. */
function parseTime(value: unknown): number | undefined {
  const time = Date.parse(`${(asText(value) ?? '').replace(' ', 'T')}+08:00`)
  return Number.isNaN(time) ? undefined : time
}
const inChina = (time: number): string => new Date(time + 8 * 3_600_000).toISOString().replace('T', ' ').slice(0, 23)

const WORDS: Readonly<Partial<Record<TaskStatus, string>>> = {
  IN_PROGRESS: 'RUNNING',
  SUCCESS: 'SUCCEEDED',
  FAILURE: 'FAILED',
}

function writeTask({
  task_id,
  status,
  fail_reason,
  prompt,
  data,
  submit_time,
  start_time,
  finish_time,
  ...task
}: PublicTask): JsonObject {
  const url = getVideoUrl(task)
  const own = asObject(data.output)
  return {
    request_id: asText(data.request_id) ?? task_id,
    output: {
      ...own,
      task_id,
      task_status: WORDS[status] ?? 'PENDING',
      submit_time: inChina(submit_time),
      ...(start_time ? { scheduled_time: inChina(start_time) } : {}),
      ...(finish_time ? { end_time: inChina(finish_time) } : {}),
      ...(fail_reason ? { code: asText(own?.code) ?? 'InternalError', message: fail_reason } : {}),
      ...(url ? { orig_prompt: prompt, video_url: url } : {}),
    },
    ...(asObject(data.usage) ? { usage: data.usage } : {}),
  }
}

/** Error codes by HTTP status. */
const CODES: Readonly<Record<number, string>> = {
  400: 'InvalidParameter',
  401: 'InvalidApiKey',
  402: 'Arrearage',
  403: 'AccessDenied',
  404: 'ModelNotFound',
  429: 'Throttling.RateQuota',
}

export const wanTaskFormat: TaskFormat = createNativeVideoFormat({
  name: NAME,
  read,
  routes: [
    { method: 'POST', path: SUBMIT, wants: 'submit' },
    { method: 'GET', path: '/api/v1/tasks/{id}', wants: 'read' },
  ],
  prompts: (body) => {
    const input = getMember(parseJsonBytes(body), 'input')
    return [asText(getMember(input, 'prompt')), asText(getMember(input, 'negative_prompt'))]
  },
  taken: ({ task_id }) => ({ output: { task_status: 'PENDING', task_id }, request_id: task_id }),
  writeTask,
  refuse: ({ status, message, request_id }) => ({
    code: CODES[status] ?? (status < 500 ? 'InvalidParameter' : 'InternalError'),
    message,
    request_id: request_id ?? '',
  }),
})
