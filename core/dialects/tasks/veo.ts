// Google's Veo 3.1 at the Gemini API (discontinued there on 22 October 2026) and at Vertex AI:
// https://ai.google.dev/gemini-api/docs/veo and
// https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation
import { fail } from '../../errors.ts'
import { FINAL_ERROR_STATUS, writeErrorReply } from '../gemini-generate/error.ts'
import type { JsonObject } from '../json/json-value.ts'
import { asList, getMember, asFiniteNumber, asObject, parseJsonBytes, asText } from '../json/json-value.ts'
import { findDisguisedError, parseFailure } from '../openai-chat/error.ts'
import { parseRequestBody } from '../requests/request-body.ts'
import { fitFilm, type FilmRequest, type FilmModel, type FilmPicture } from './film.ts'
import { getInlineBytes, requireNewFilm, groupPicturesByRole, refuseFilm } from './film-limits.ts'
import { getVideoUrl, createNativeVideoFormat } from './native-videos.ts'
import type { ParsedSubmission, TaskDialect, TaskFile, TaskState, TaskSubmission } from './task-dialect.ts'
import { keepRequestedUsage } from './task-dialect.ts'
import type { TaskFormat, PublicTask } from './task-format.ts'

const NAME = 'veo'

const SHAPE = { seconds: [8, 6, 4], ratios: ['16:9', '9:16'] } as const
const HIGH = ['720p', '1080p', '4k']

/** Returns the models. Videos of the Gemini API always have audio; at Vertex it is optional. */
const buildModels = (sound: 'always' | 'usually'): readonly FilmModel[] => [
  {
    ...SHAPE,
    model: /^veo-3\.1-lite-generate-preview$/,
    resolutions: ['720p', '1080p'],
    sound,
    pictures: { first: 1, last: 1 },
    ended: '2026-10-22',
  },
  {
    ...SHAPE,
    model: /^veo-3\.1-(fast-)?generate-preview$/,
    resolutions: HIGH,
    sound,
    pictures: { first: 1, last: 1, reference: 3 },
    ended: '2026-10-22',
  },
  {
    ...SHAPE,
    model: /^veo-3\.1-lite-generate-001$/,
    resolutions: ['720p', '1080p'],
    sound,
    pictures: { first: 1, last: 1 },
  },
  {
    ...SHAPE,
    model: /^veo-3\.1-(fast-)?generate-001$/,
    resolutions: HIGH,
    sound,
    pictures: { first: 1, last: 1, reference: 3 },
  },
  {
    ...SHAPE,
    model: /^veo-3\.0-/,
    resolutions: ['720p', '1080p'],
    sound,
    pictures: { first: 1 },
    ended: '2026-06-30',
  },
  {
    seconds: [8, 7, 6, 5],
    ratios: ['16:9', '9:16'],
    model: /^veo-2\.0-/,
    resolutions: ['720p'],
    sound: 'never',
    pictures: { first: 1, last: 1 },
    ended: '2026-06-30',
  },
]

/** @throws GatewayError request.unreadable, request.invalid */
function read({ body, path }: TaskSubmission): ParsedSubmission {
  const given = parseRequestBody(body)
  const instances = asList(given.instances) ?? []
  const [instance] = instances
  const parameters = asObject(given.parameters) ?? {}
  const prompt = asText(getMember(instance, 'prompt')) ?? ''
  const films = asFiniteNumber(parameters.sampleCount) ?? asFiniteNumber(parameters.numberOfVideos) ?? 1
  if (instances.length !== 1 || films !== 1)
    fail('request.invalid', {
      param: 'sampleCount',
      reason: 'One film is made in one task: ask for the others by tasks of their own',
    })
  const { resolution, aspectRatio, durationSeconds, generateAudio, seed, negativePrompt } = parameters
  const film: FilmRequest = {
    prompt,
    pictures: parsePictures(instance),
    ...(asText(resolution) ? { resolution: asText(resolution)?.toLowerCase() } : {}),
    ...(asText(aspectRatio) ? { ratio: asText(aspectRatio) } : {}),
    ...(Number(durationSeconds) > 0 ? { seconds: Number(durationSeconds) } : {}),
    ...(typeof generateAudio === 'boolean' ? { sound: generateAudio } : {}),
    ...(asFiniteNumber(seed) === undefined ? {} : { seed: asFiniteNumber(seed) }),
    ...(asText(negativePrompt) ? { negative_prompt: asText(negativePrompt) } : {}),
  }
  return { format: NAME, action: 'GENERATE', prompt, film, given, model: path.model ?? '' }
}

function parsePictures(instance: unknown): FilmPicture[] {
  const of = (image: unknown, as: FilmPicture['as']): FilmPicture[] => {
    const inline = asObject(getMember(image, 'inlineData'))
    const data = asText(inline?.data) ?? asText(getMember(image, 'bytesBase64Encoded'))
    const type = asText(inline?.mimeType) ?? asText(getMember(image, 'mimeType')) ?? 'image/png'
    return data ? [{ url: `data:${type};base64,${data}`, as }] : []
  }
  const references = asList(getMember(instance, 'referenceImages')) ?? []
  return [
    ...of(getMember(instance, 'image'), 'first'),
    ...of(getMember(instance, 'lastFrame'), 'last'),
    ...references.flatMap((one) => of(getMember(one, 'image'), 'reference')),
  ]
}

/** @throws GatewayError film.unsupported */
function buildBody(ask: ParsedSubmission, model: string, vertex: boolean): JsonObject {
  if (ask.format === NAME) return ask.given
  const film = requireNewFilm(ask, model)
  const models = vertex ? VERTEX : GEMINI
  const { prompt, seconds, resolution, ratio, sound, seed, negative_prompt } = fitFilm(film, model, models)
  const { first, last, reference } = groupPicturesByRole(film, model)
  if (seconds !== 8 && (resolution !== '720p' || reference))
    refuseFilm(model, 'seconds', `8 ${reference ? 'with reference pictures' : `at ${resolution}`}`)
  const image = (url: string) => {
    const { type, data } = getInlineBytes(url, model)
    return { bytesBase64Encoded: data, mimeType: type }
  }
  return {
    instances: [
      {
        prompt,
        ...(first?.[0] ? { image: image(first[0]) } : {}),
        ...(last?.[0] ? { lastFrame: image(last[0]) } : {}),
        ...(reference
          ? { referenceImages: reference.map((url) => ({ image: image(url), referenceType: 'asset' })) }
          : {}),
      },
    ],
    parameters: {
      aspectRatio: ratio,
      resolution,
      durationSeconds: seconds,
      ...(vertex ? { sampleCount: 1, ...(model.startsWith('veo-2') ? {} : { generateAudio: sound }) } : {}),
      ...(seed === undefined ? {} : { seed }),
      ...(negative_prompt === undefined ? {} : { negativePrompt: negative_prompt }),
    },
  }
}

/** Parses an operation of either API. Its id is its full name. */
function parseState(answer: unknown): TaskState | undefined {
  const operation = asObject(answer)
  const upstream_id = asText(operation?.name)
  if (!operation || !upstream_id) return undefined
  const data = operation
  if (operation.done !== true) return { upstream_id, status: 'IN_PROGRESS', data }
  const wrong = asText(getMember(operation.error, 'message'))
  if (wrong) return { upstream_id, status: 'FAILURE', fail_reason: wrong, data }
  const made = asObject(getMember(operation.response, 'generateVideoResponse')) ?? asObject(operation.response) ?? {}
  const [storedVideo] = asList(made.videos) ?? []
  if (storedVideo)
    return { upstream_id, status: 'SUCCESS', files: keptFile(storedVideo), data: withoutBytes(operation, made) }
  const [first] = asList(made.generatedSamples) ?? asList(made.generatedVideos) ?? []
  const uri = asText(getMember(getMember(first, 'video'), 'uri'))
  if (uri)
    return { upstream_id, status: 'SUCCESS', files: [{ kind: 'video', url: toChannelPath(uri), keyed: true }], data }
  const held = (asList(made.raiMediaFilteredReasons) ?? []).flatMap((reason) => asText(reason) ?? [])
  return { upstream_id, status: 'FAILURE', fail_reason: held.join(' ') || 'No video was made', data }
}

/** Returns the file of a video at Vertex: in the answer, or in the requested bucket. */
function keptFile(video: unknown): TaskFile[] {
  const [, place] = /^gs:\/\/(.+)$/.exec(asText(getMember(video, 'gcsUri')) ?? '') ?? []
  if (place) return [{ kind: 'video', url: `https://storage.googleapis.com/${place}`, keyed: true }]
  return [{ kind: 'video', url: '', keyed: true, within: ['response', 'videos', 0, 'bytesBase64Encoded'] }]
}

/** Returns the operation without the video's bytes, for storage. */
const withoutBytes = (operation: JsonObject, made: JsonObject): JsonObject => ({
  ...operation,
  response: {
    ...made,
    videos: (asList(made.videos) ?? []).map((video) => ({ ...asObject(video), bytesBase64Encoded: undefined })),
  },
})

/**
 * Returns the path at the channel's address, which may differ from Google's: the key is never sent to an address from
 * an answer.
 */
function toChannelPath(uri: string): string {
  const { pathname, search } = new URL(uri, 'https://generativelanguage.googleapis.com')
  return pathname + search
}

const accepted: TaskDialect['accepted'] = (answer) => {
  const upstream_id = asText(getMember(answer, 'name'))
  if (!upstream_id) return { refused: findDisguisedError(answer) ?? parseFailure({}, 502) }
  return { state: { upstream_id, status: 'SUBMITTED' }, look: { method: 'GET', path: `/v1beta/${upstream_id}` } }
}

const PUBLISHER = '/publishers/google/models/'
const GEMINI = buildModels('always')
const VERTEX = buildModels('usually')

export const veoFilmTasks: TaskDialect = {
  name: NAME,
  operation: 'video',
  models: GEMINI,
  read,
  write: (ask, { model }) => ({
    method: 'POST',
    path: `/v1beta/models/${encodeURIComponent(model)}:predictLongRunning`,
    json: buildBody(ask, model, false),
  }),
  accepted,
  status: (id, model) => ({ method: 'GET', path: `/v1beta/models/${encodeURIComponent(model)}/operations/${id}` }),
  states: (answer) => [parseState(answer)].flatMap((state) => state ?? []),
  used: keepRequestedUsage,
}

/** The same models at Vertex AI, where a poll request names the operation, and project and region precede the path. */
export const vertexVeoTasks: TaskDialect = {
  ...veoFilmTasks,
  models: VERTEX,
  write: (ask, { model }) => ({
    method: 'POST',
    path: `${PUBLISHER}${encodeURIComponent(model)}:predictLongRunning`,
    json: buildBody(ask, model, true),
  }),
  accepted(answer, ask, question) {
    const taken = accepted(answer, ask, question)
    if ('refused' in taken) return taken
    const path = question.path.replace(':predictLongRunning', ':fetchPredictOperation')
    return { ...taken, look: { method: 'POST', path, json: { operationName: taken.state.upstream_id } } }
  },
  status: (operationName, model) => ({
    method: 'POST',
    path: `${PUBLISHER}${encodeURIComponent(model)}:fetchPredictOperation`,
    json: { operationName },
  }),
}

const buildOperationName = ({ model, task_id }: PublicTask) => `models/${model}/operations/${task_id}`

/** Returns the file's URL. Google's clients extract its name, and download it from a path of their API. */
const getFileUrl = ({ files, task_id }: PublicTask): string | undefined =>
  getVideoUrl({ files })?.replace(/\/v1\/videos\/[^/]+\/content$/, `/v1beta/files/${task_id}:download?alt=media`)

/** Writes the task in the Gemini API's format. */
function writeTask(task: PublicTask): JsonObject {
  const { status, fail_reason } = task
  const name = buildOperationName(task)
  if (status === 'FAILURE') return { name, done: true, error: { code: 13, message: fail_reason } }
  if (status !== 'SUCCESS') return { name }
  const response = {
    '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
    generateVideoResponse: { generatedSamples: [{ video: { uri: getFileUrl(task) } }] },
  }
  return { name, done: true, response }
}

export const veoTaskFormat: TaskFormat = {
  ...createNativeVideoFormat({
    name: NAME,
    ownIds: 'op',
    routes: [
      { method: 'POST', path: '/v1beta/models/{model}:predictLongRunning', wants: 'submit' },
      { method: 'GET', path: '/v1beta/models/{model}/operations/{id}', wants: 'read' },
      { method: 'GET', path: '/v1beta/files/{id}:download', wants: 'content' },
    ],
    read,
    prompts: (body) =>
      (asList(getMember(parseJsonBytes(body), 'instances')) ?? []).map((instance) =>
        asText(getMember(instance, 'prompt')),
      ),
    taken: (task) => ({ name: buildOperationName(task) }),
    writeTask,
  }),
  lowIds: true,
  writeErrorReply,
  finalStatus: FINAL_ERROR_STATUS,
}
