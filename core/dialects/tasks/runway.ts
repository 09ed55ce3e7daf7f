// Runway's videos, as https://docs.dev.runwayml.com and the types of its SDK (@runwayml/sdk 4.12) describe them: a
// ratio is the pixels of both sides, which differ per model. The end date of `gen3a_turbo` is from
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
  buildRejection,
  listWholeSeconds,
} from './native-videos.ts'
import { fitFilm, parsePixelSize, type FilmRequest, type FilmModel, type FilmPicture } from './film.ts'
import { requireNewFilm, refuseFilm } from './film-limits.ts'
import type { ParsedSubmission, TaskDialect, TaskState, TaskStatus, TaskSubmission } from './task-dialect.ts'
import { keepRequestedUsage, parseTaskStatus } from './task-dialect.ts'
import type { TaskFormat, TaskRoute, PublicTask } from './task-format.ts'

const NAME = 'runway'
const WIDE = ['16:9', '9:16']
const GEN = ['16:9', '9:16', '4:3', '1:1', '3:4', '21:9']
const FRAMES = { first: 1, last: 1 }

const models: readonly FilmModel[] = [
  {
    model: 'gen4.5',
    seconds: listWholeSeconds(5, 2, 10),
    resolutions: ['720p'],
    ratios: GEN,
    sound: 'never',
    pictures: { first: 1 },
  },
  {
    model: 'gen4_turbo',
    seconds: listWholeSeconds(5, 2, 10),
    resolutions: ['720p'],
    ratios: GEN,
    sound: 'never',
    pictures: { first: 1 },
    needs: 'first',
  },
  {
    model: /^veo3\.1(_fast)?$/,
    seconds: [8, 4, 6],
    resolutions: ['720p', '1080p'],
    ratios: WIDE,
    sound: 'usually',
    pictures: FRAMES,
  },
  {
    model: 'veo3',
    seconds: [8],
    resolutions: ['720p', '1080p'],
    ratios: WIDE,
    sound: 'always',
    pictures: { first: 1 },
  },
  {
    model: 'seedance2',
    seconds: listWholeSeconds(5, 4, 15),
    resolutions: ['720p', '480p', '1080p', '4k'],
    ratios: GEN,
    sound: 'usually',
    pictures: { ...FRAMES, reference: 9 },
  },
  {
    model: 'gen3a_turbo',
    seconds: [5, 10],
    resolutions: ['720p'],
    ratios: WIDE,
    sound: 'never',
    pictures: FRAMES,
    needs: 'picture',
    ended: '2026-07-30',
  },
]

/** Pixels of both sides, by model family: others are not supported. */
const PIXELS: readonly [models: RegExp, pixels: Readonly<Record<string, string>>][] = [
  [
    /^seedance2/,
    {
      '480p 21:9': '992:432',
      '480p 16:9': '864:496',
      '480p 4:3': '752:560',
      '480p 1:1': '640:640',
      '480p 3:4': '560:752',
      '480p 9:16': '496:864',
      '720p 21:9': '1470:630',
      '720p 16:9': '1280:720',
      '720p 4:3': '1112:834',
      '720p 1:1': '960:960',
      '720p 3:4': '834:1112',
      '720p 9:16': '720:1280',
      '1080p 21:9': '2206:946',
      '1080p 16:9': '1920:1080',
      '1080p 4:3': '1664:1248',
      '1080p 1:1': '1440:1440',
      '1080p 3:4': '1248:1664',
      '1080p 9:16': '1080:1920',
      '4k 21:9': '3840:1646',
      '4k 16:9': '3840:2160',
      '4k 4:3': '3840:2880',
      '4k 1:1': '3840:3840',
      '4k 3:4': '2880:3840',
      '4k 9:16': '2160:3840',
    },
  ],
  [/^gen3/, { '720p 16:9': '1280:768', '720p 9:16': '768:1280' }],
  [
    /./,
    {
      '720p 16:9': '1280:720',
      '720p 9:16': '720:1280',
      '1080p 16:9': '1920:1080',
      '1080p 9:16': '1080:1920',
      '720p 4:3': '1104:832',
      '720p 1:1': '960:960',
      '720p 3:4': '832:1104',
      '720p 21:9': '1584:672',
    },
  ],
]
const getPixels = (model: string) => PIXELS.find(([models]) => models.test(model))?.[1] ?? {}

/** @throws GatewayError request.unreadable, request.no_model, request.invalid */
function read({ body, action }: TaskSubmission): ParsedSubmission {
  const kind = action ?? 'text_to_video'
  const given = parseRequestBody(body)
  const model = asText(given.model) ?? fail('request.no_model')
  const prompt = asText(given.promptText) ?? ''
  const film = omitUndefinedMembers<FilmRequest>({
    prompt,
    negative_prompt: asText(given.negativePrompt),
    seconds: asFiniteNumber(given.duration),
    ...parseSides(model, asText(given.ratio)),
    sound: typeof given.audio === 'boolean' ? given.audio : undefined,
    seed: asFiniteNumber(given.seed),
    pictures: [...parsePictures(given.promptImage), ...parsePictures(given.references)],
  })
  return { format: NAME, model, action: kind.toUpperCase(), prompt, film, given }
}

function parseSides(model: string, given: string | undefined): Pick<FilmRequest, 'resolution' | 'ratio'> {
  if (given === undefined) return {}
  const ratio = toPriceForm(given)
  const [words] = Object.entries(getPixels(model)).find(([, pixels]) => pixels === ratio) ?? []
  const [resolution, sides] = words?.split(' ') ?? []
  return resolution ? { resolution, ratio: sides } : (parsePixelSize(ratio.replace(':', 'x')) ?? { resolution: ratio })
}

function parsePictures(given: unknown): FilmPicture[] {
  const only = asText(given)
  if (only) return [{ url: only, as: 'first' }]
  return (asList(given) ?? []).flatMap((one) => {
    const [url, position] = [asText(getMember(one, 'uri')), getMember(one, 'position')]
    return url ? [{ url, as: position === 'first' || position === 'last' ? position : 'reference' }] : []
  })
}

export const runwayFilmTasks: TaskDialect = {
  name: NAME,
  operation: 'video',
  models,
  read,
  write(ask, { model }) {
    if (ask.format === NAME) return buildSubmission(`/v1/${ask.action.toLowerCase()}`, ask.given, { model })
    const film = fitFilm(requireNewFilm(ask, model), model, models)
    const { prompt, negative_prompt, seconds, resolution, ratio, sound, seed, pictures } = film
    const kind = pictures.length > 0 ? 'image_to_video' : 'text_to_video'
    if (model === 'gen4.5' && pictures.length === 0 && !WIDE.includes(ratio)) refuseFilm(model, 'ratio', ...WIDE)
    const isVeo = model.startsWith('veo')
    const body = {
      promptText: prompt || undefined,
      duration: seconds,
      ratio: getPixels(model)[`${resolution} ${ratio}`],
      promptImage: pictures.length > 0 ? pictures.map(placed) : undefined,
      ...(model === 'seedance2' || model.startsWith('veo3.1') ? { audio: sound } : {}),
      ...(isVeo ? { negativePrompt: negative_prompt } : {}),
      ...(model.startsWith('gen') ? { seed } : {}),
    }
    return buildSubmission(`/v1/${kind}`, body, { model })
  },
  accepted(answer) {
    const id = asText(getMember(answer, 'id'))
    if (!id) return buildRejection(asText(getMember(answer, 'error')))
    return {
      state: { upstream_id: id, status: 'QUEUED' },
      look: { method: 'GET', path: buildTaskPath(id) },
    }
  },
  status: (id) => ({ method: 'GET', path: buildTaskPath(id) }),
  states: (answer) => [parseState(answer) ?? []].flat(),
  used: keepRequestedUsage,
  cancel: (id) => ({ method: 'DELETE', path: buildTaskPath(id) }),
}

const buildTaskPath = (id: string): string => `/v1/tasks/${encodeURIComponent(id)}`

const placed = ({ url, as }: FilmPicture): JsonObject => ({ uri: url, ...(as === 'reference' ? {} : { position: as }) })

const STATUSES: Readonly<Record<string, TaskStatus>> = {
  PENDING: 'QUEUED',
  THROTTLED: 'QUEUED',
  RUNNING: 'IN_PROGRESS',
  SUCCEEDED: 'SUCCESS',
  FAILED: 'FAILURE',
  CANCELLED: 'FAILURE',
}

function parseState(answer: unknown): TaskState | undefined {
  const data = asObject(answer)
  const upstream_id = asText(data?.id)
  const status = parseTaskStatus(STATUSES, data?.status)
  if (!data || !upstream_id || !status) return undefined
  const progress = asFiniteNumber(data.progress)
  const files = (asList(data.output) ?? []).flatMap((url) => buildVideoFiles(url))
  const failReason = asText(data.failure) ?? (data.status === 'CANCELLED' ? 'cancelled' : 'failed')
  return omitUndefinedMembers<TaskState>({
    upstream_id,
    status,
    data,
    progress: progress === undefined ? undefined : Math.round(progress * 100),
    fail_reason: status === 'FAILURE' ? failReason : undefined,
    files: files.length > 0 ? files : undefined,
  })
}

const buildRoutes = (base: string): TaskRoute[] => [
  ...['text_to_video', 'image_to_video', 'video_to_video'].map((kind): TaskRoute => ({
    method: 'POST',
    path: `${base}/${kind}`,
    wants: 'submit',
    action: kind,
  })),
  { method: 'GET', path: `${base}/tasks/{id}`, wants: 'read' },
  { method: 'DELETE', path: `${base}/tasks/{id}`, wants: 'delete' },
]

const WORDS: Readonly<Partial<Record<TaskStatus, string>>> = {
  IN_PROGRESS: 'RUNNING',
  SUCCESS: 'SUCCEEDED',
  FAILURE: 'FAILED',
}

function writeTask({ task_id, status, progress, fail_reason, data, submit_time, files }: PublicTask): JsonObject {
  const output = files.filter(({ kind }) => kind === 'video').map(({ url }) => url)
  const failed = status === 'FAILURE'
  return {
    id: task_id,
    createdAt: new Date(submit_time).toISOString(),
    status: WORDS[status] ?? 'PENDING',
    ...(status === 'IN_PROGRESS' ? { progress: progress / 100 } : {}),
    ...(failed ? { failure: fail_reason, failureCode: asText(data.failureCode) ?? 'INTERNAL' } : {}),
    ...(status === 'SUCCESS' ? { output } : {}),
  }
}

export const runwayTaskFormat: TaskFormat = createNativeVideoFormat({
  name: NAME,
  read,
  routes: [...buildRoutes('/v1'), ...buildRoutes('/runway/v1')] as [TaskRoute, ...TaskRoute[]],
  prompts: (body) => {
    const given = parseJsonBytes(body)
    return [asText(getMember(given, 'promptText')), asText(getMember(given, 'negativePrompt'))]
  },
  taken: ({ task_id }) => ({ id: task_id }),
  writeTask,
  refuse: ({ message, param }) => ({
    error: message,
    issues: param ? [{ code: 'custom', path: [param], message }] : [],
    docUrl: 'https://docs.dev.runwayml.com/api/',
  }),
})
