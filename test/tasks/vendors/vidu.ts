// Vidu's API, as https://platform.vidu.com/docs has it: text-to-video, image-to-video, start-end-to-video,
// reference-to-video, get-generation, cancel and error-code. It tells what a film cost, in credits.
import {
  fileReply,
  WRONG_KEY,
  type PlayedVendor,
  type Stage,
  type VendorReply,
  type VendorRequest,
  type VendorTask,
} from '../vendor.ts'

interface Model {
  seconds: readonly number[]
  resolutions: readonly string[]
}

const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at)
const THREE = ['540p', '720p', '1080p']
const Q3 = { seconds: from(1, 16), resolutions: THREE }
const Q2 = { seconds: from(1, 10), resolutions: THREE }
const Q1 = { seconds: [5], resolutions: ['1080p'] }
const Q2_SHORT = { seconds: from(1, 8), resolutions: THREE }
const Q2_FAST = { seconds: from(1, 10), resolutions: ['720p', '1080p'] }
/** By path: which pictures, and of which models. */
const PATHS: Record<string, { images: [least: number, most: number]; models: Record<string, Model> }> = {
  text2video: { images: [0, 0], models: { 'viduq3-pro': Q3, 'viduq3-turbo': Q3, viduq2: Q2, viduq1: Q1 } },
  img2video: {
    images: [1, 1],
    models: {
      'viduq3-pro': Q3,
      'viduq3-turbo': Q3,
      'viduq3-pro-fast': Q3,
      'viduq2-pro': Q2,
      'viduq2-turbo': Q2,
      'viduq2-pro-fast': Q2_FAST,
      viduq1: Q1,
    },
  },
  'start-end2video': {
    images: [2, 2],
    models: {
      'viduq3-pro': Q3,
      'viduq3-turbo': Q3,
      'viduq2-pro': Q2_SHORT,
      'viduq2-turbo': Q2_SHORT,
      'viduq2-pro-fast': { ...Q2_FAST, seconds: from(1, 8) },
      viduq1: Q1,
    },
  },
  reference2video: {
    images: [1, 7],
    models: {
      'viduq3-mix': { seconds: from(1, 16), resolutions: ['720p', '1080p'] },
      viduq3: { seconds: from(3, 16), resolutions: THREE },
      viduq2: Q2,
      'viduq2-pro': Q2,
      viduq1: Q1,
    },
  },
}
const WORDS: Record<Stage['is'], string> = {
  waiting: 'queueing',
  running: 'processing',
  done: 'success',
  failed: 'failed',
}
const created_at = '2026-11-23T10:00:00.000000Z'

const says = (code: number, reason: string, message: string): VendorReply => ({
  status: code,
  json: { code, reason, message, metadata: { trace_id: 'played-trace' } },
})
const invalid = (fields: string) => says(400, 'FieldInvalid', `invalid field: ${fields}`)

export const playedVidu: PlayedVendor = {
  name: 'vidu',
  id: (n) => `9162050611162931${String(n).padStart(2, '0')}`,
  submits: ({ path }) => kindOf(path) !== undefined,
  refuse: (mood) =>
    mood === 'refuses'
      ? says(400, 'AuditSubmitIllegal', 'submit is illegal')
      : mood === 'overloaded'
        ? says(429, 'QuotaExceeded', 'quota exceeded')
        : says(500, 'InternalServiceFailure', 'internal service failure'),
  answer(request, shelf) {
    if (request.path.startsWith('/files/')) return fileReply(request)
    if (!request.path.startsWith('/ent/v2/')) return undefined
    if (!proven(request)) return says(401, 'Unauthorized', 'unauthorized')
    const kind = kindOf(request.path)
    if (kind && request.method === 'POST') {
      const wrong = refusal(kind, request.json)
      if (wrong) return wrong
      const { id, asked } = shelf.take(request)
      const { callback_url: _, ...shown } = asked
      return { json: { task_id: id, state: 'created', ...shown, credits: creditsOf(asked), created_at } }
    }
    const [, id, last] = /^\/ent\/v2\/tasks\/([^/]+)\/(creations|cancel)$/.exec(request.path) ?? []
    const task = shelf.tasks.find((one) => one.id === id)
    if (!id || !last) return undefined
    if (last === 'cancel' && request.method === 'POST')
      return shelf.cancel(id) ? { json: {} } : says(404, 'TaskNotFound', 'task not found')
    const stage = shelf.look(id)
    return stage && task ? { json: told(shelf.url, stage, task) } : says(404, 'TaskNotFound', 'task not found')
  },
  callback: (task, stage, { url }) =>
    task.asked.callback_url ? { url: String(task.asked.callback_url), json: told(url, stage, task) } : undefined,
}

const kindOf = (path: string): string | undefined => {
  const [, kind = ''] = /^\/ent\/v2\/([a-z0-9-]+)$/.exec(path) ?? []
  return kind in PATHS ? kind : undefined
}

/** Its word for a key is `Token`. */
const proven = ({ headers }: VendorRequest) =>
  /^Token \S+$/.test(headers.authorization ?? '') && headers.authorization !== `Token ${WRONG_KEY}`

function refusal(kind: string, asked: Record<string, unknown>): VendorReply | undefined {
  const {
    images: [least, most],
    models,
  } = PATHS[kind]!
  const { model, prompt, images = [], duration, resolution, aspect_ratio, movement_amplitude, audio } = asked
  if (!model) return says(400, 'FieldLacking', 'field is missing or empty: model')
  const found = models[String(model)]
  if (!found) return says(400, 'ModelUnavailable', 'model unavailable')
  if ((kind === 'text2video' || kind === 'reference2video') && !prompt)
    return says(400, 'FieldLacking', 'field is missing or empty: prompt')
  if (prompt !== undefined && (typeof prompt !== 'string' || prompt.length > 5000)) return invalid('prompt')
  const count = Array.isArray(images) ? images.length : -1
  if (count > 0 && most === 0) return says(400, 'FieldUnwanted', 'unwanted field: images')
  if (count < least || count > most)
    return says(400, 'FieldItemCountOutOfRange', 'field item count out of range: images')
  if (duration !== undefined && !(typeof duration === 'number' && found.seconds.includes(duration)))
    return invalid('duration')
  if (resolution !== undefined && !found.resolutions.includes(String(resolution))) return invalid('resolution')
  const ratios = ['16:9', '9:16', '1:1', ...(String(model).startsWith('viduq1') ? [] : ['4:3', '3:4'])]
  if (aspect_ratio !== undefined && !ratios.includes(String(aspect_ratio))) return invalid('aspect_ratio')
  if (movement_amplitude !== undefined && !['auto', 'small', 'medium', 'large'].includes(String(movement_amplitude)))
    return invalid('movement_amplitude')
  return audio !== undefined && typeof audio !== 'boolean' ? invalid('audio') : undefined
}

/** Credits of 0.005 USD: as of `viduq3-pro`, which all are charged like here. */
const creditsOf = ({ resolution = '720p', duration = 5 }: Record<string, unknown>): number =>
  ({ '540p': 14, '720p': 30, '1080p': 32 })[String(resolution)]! * Number(duration)

/** Addresses are good for 24 hours, signed as S3 does. */
const signed = (url: string): string =>
  `${url}?X-Amz-Date=${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}&X-Amz-Expires=86400`

function told(url: string, stage: Stage, { asked }: VendorTask): Record<string, unknown> {
  const film = { id: `creation-${stage.id}`, url: signed(`${url}/files/${stage.id}-${stage.edition}.mp4`) }
  return {
    id: stage.id,
    state: WORDS[stage.is],
    err_code: stage.is === 'failed' ? 'CreationPolicyViolation' : '',
    credits: stage.is === 'failed' ? 0 : creditsOf(asked),
    payload: asked.payload ?? '',
    bgm: false,
    off_peak: false,
    creations:
      stage.is === 'done' ? [{ ...film, cover_url: `${url}/files/${stage.id}.jpeg`, watermarked_url: '' }] : [],
  }
}
