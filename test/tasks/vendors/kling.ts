// Kling's API, as "Video" and "General Information" of https://app.klingai.com/global/dev/document-api have it: a token of
// half an hour that the key signs, a path for each kind of film, under which it is also asked for and listed.
import { createHmac } from 'node:crypto'
import {
  fileReply,
  WRONG_KEY,
  type PlayedVendor,
  type Stage,
  type VendorReply,
  type VendorRequest,
  type VendorTask,
} from '../vendor.ts'

/** The key that it takes, as channels have it. */
export const KLING_KEY = 'played-access|played-secret'

interface Model {
  paths: readonly string[]
  seconds: readonly number[]
  modes: readonly string[]
  /** In which modes it makes sound. */
  sound: readonly string[]
}

const SHORT = [5, 10]
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at)
const BOTH = ['text2video', 'image2video']
const MODELS: Record<string, Model> = {
  'kling-v3': { paths: BOTH, seconds: from(3, 15), modes: ['std', 'pro', '4k'], sound: ['std', 'pro', '4k'] },
  'kling-v3-omni': {
    paths: ['omni-video'],
    seconds: from(3, 15),
    modes: ['std', 'pro', '4k'],
    sound: ['std', 'pro', '4k'],
  },
  'kling-video-o1': { paths: ['omni-video'], seconds: from(3, 10), modes: ['std', 'pro'], sound: [] },
  'kling-v2-6': { paths: BOTH, seconds: SHORT, modes: ['std', 'pro'], sound: ['pro'] },
  'kling-v2-5-turbo': { paths: BOTH, seconds: SHORT, modes: ['std', 'pro'], sound: [] },
}
const DEFAULT_MODEL: Record<string, string> = { 'omni-video': 'kling-video-o1', 'multi-image2video': 'kling-v1-6' }
const RATIOS = ['16:9', '9:16', '1:1']
const WORDS: Record<Stage['is'], string> = {
  waiting: 'submitted',
  running: 'processing',
  done: 'succeed',
  failed: 'failed',
}
const PATH = /^\/v1\/videos\/(text2video|image2video|multi-image2video|omni-video)(?:\/([^/]+))?$/
/** What a second costs, in units: here of a film of 720p without sound. */
const UNITS = 0.6

const says = (status: number, code: number, message: string): VendorReply => ({
  status,
  json: { code, message, request_id: 'played-request' },
})
const invalid = (message: string) => says(400, 1201, message)

export const playedKling: PlayedVendor = {
  name: 'kling',
  id: (n) => `8672837417591112${String(n).padStart(2, '0')}`,
  submits: ({ method, path }) => method === 'POST' && PATH.test(path),
  refuse: (mood) =>
    mood === 'refuses'
      ? says(400, 1301, 'Failure to pass the risk control system')
      : mood === 'overloaded'
        ? says(429, 1303, 'parallel task over resource pack limit')
        : says(500, 5000, 'Service error'),
  answer(request, shelf) {
    const [, file] = /^\/files\/(.+)\.mp4$/.exec(request.path) ?? []
    if (file) return fileReply(request)
    const [, kind = '', id] = PATH.exec(request.path) ?? []
    if (!kind) return undefined
    const unproven = proof(request)
    if (unproven) return unproven
    if (request.method === 'POST' && !id) {
      const wrong = refusal(kind, request.json)
      if (wrong) return wrong
      const task = shelf.take(request)
      return good(told(shelf.url, { id: task.id, is: 'waiting', progress: 0, edition: 1 }, task.asked))
    }
    if (request.method !== 'GET') return says(404, 1202, 'The requested method is invalid')
    // A film is only known under the path that it was asked at.
    const ours = shelf.tasks.filter(({ path }) => path.endsWith(`/${kind}`))
    const shown = (task: VendorTask) => {
      const stage = shelf.look(task.id)
      return stage ? [told(shelf.url, stage, task.asked)] : []
    }
    if (id) {
      const found = ours.filter((task) => task.id === id || task.asked.external_task_id === id).flatMap(shown)
      return found[0] ? good(found[0]) : says(404, 1203, `task ${id} not found`)
    }
    const [page, size] = [Number(request.query.get('pageNum') ?? 1), Number(request.query.get('pageSize') ?? 30)]
    if (!(page >= 1 && page <= 1000)) return invalid('pageNum must be between 1 and 1000')
    if (!(size >= 1 && size <= 500)) return invalid('pageSize must be between 1 and 500')
    return good(
      ours
        .toReversed()
        .slice((page - 1) * size, page * size)
        .flatMap(shown),
    )
  },
  callback: ({ asked }, stage, { url }) =>
    asked.callback_url ? { url: String(asked.callback_url), json: told(url, stage, asked) } : undefined,
}

const good = (data: unknown): VendorReply => ({
  json: { code: 0, message: 'SUCCEED', request_id: 'played-request', data },
})

/** What is wrong with the token, in the documentation's words. */
function proof({ headers }: VendorRequest): VendorReply | undefined {
  const token = headers.authorization
  if (!token) return says(401, 1001, 'Authorization is empty')
  const [header = '', claims = '', signature, ...more] = token.replace(/^Bearer /, '').split('.')
  const [access, secret = ''] = KLING_KEY.split('|')
  const signed = createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url')
  if (token === `Bearer ${WRONG_KEY}` || signature !== signed || more.length > 0)
    return says(401, 1002, 'Authorization is invalid')
  const { alg } = part(header)
  const { iss, exp, nbf } = part(claims)
  if (alg !== 'HS256' || iss !== access) return says(401, 1002, 'access key not found')
  const now = Date.now() / 1000
  if (Number(nbf) > now) return says(401, 1003, 'Authorization is not yet valid')
  return Number(exp) > now ? undefined : says(401, 1004, 'Authorization has expired')
}

const part = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>

/** What is wrong with a submission. */
function refusal(kind: string, asked: Record<string, unknown>): VendorReply | undefined {
  const name = String(asked.model_name ?? DEFAULT_MODEL[kind] ?? 'kling-v1')
  const model = MODELS[name]
  if (!model?.paths.includes(kind)) return says(404, 1203, `model ${name} is not supported`)
  const { prompt, negative_prompt, mode = 'std', duration = '5', aspect_ratio, sound = 'off' } = asked
  if (kind !== 'image2video' && (typeof prompt !== 'string' || !prompt)) return invalid('prompt must not be empty')
  for (const [field, text] of Object.entries({ prompt, negative_prompt }))
    if (typeof text === 'string' && text.length > 2500) return invalid(`${field} length must be less than 2500`)
  if (!model.modes.includes(String(mode))) return invalid(`mode value '${String(mode)}' is invalid`)
  if (typeof duration !== 'string') return invalid('duration must be a string')
  if (!model.seconds.includes(Number(duration))) return invalid(`duration value '${duration}' is invalid`)
  if (aspect_ratio !== undefined && !RATIOS.includes(String(aspect_ratio)))
    return invalid(`aspect_ratio value '${String(aspect_ratio)}' is invalid`)
  if (sound !== 'off' && (sound !== 'on' || !model.sound.includes(String(mode))))
    return invalid(`sound value '${String(sound)}' is not supported by ${name} in mode ${String(mode)}`)
  return kind === 'image2video' ? frames(asked) : kind === 'omni-video' ? references(asked) : undefined
}

function frames({ image, image_tail }: Record<string, unknown>): VendorReply | undefined {
  if (!image && !image_tail) return invalid('image and image_tail can not be empty at the same time')
  return [image, image_tail].some((one) => String(one ?? '').startsWith('data:'))
    ? invalid('File is not in a valid base64 format')
    : undefined
}

function references({ image_list = [] }: Record<string, unknown>): VendorReply | undefined {
  if (!Array.isArray(image_list) || image_list.length > 7) return invalid('image_list must have at most 7 images')
  const urls = image_list.map((one: { image_url?: unknown }) => one.image_url)
  return urls.every((url) => typeof url === 'string' && url && !url.startsWith('data:'))
    ? undefined
    : invalid('image_list.image_url is invalid')
}

function told(url: string, stage: Stage, asked: Record<string, unknown>): Record<string, unknown> {
  const { external_task_id, duration = '5' } = asked
  return {
    task_id: stage.id,
    task_status: WORDS[stage.is],
    ...(stage.why ? { task_status_msg: stage.why } : {}),
    task_info: { ...(external_task_id ? { external_task_id } : {}) },
    created_at: 1_700_000_000_000,
    updated_at: 1_700_000_060_000,
    ...(stage.is === 'done'
      ? {
          final_unit_deduction: String(UNITS * Number(duration)),
          task_result: {
            videos: [{ id: `video-${stage.id}`, url: `${url}/files/${stage.id}-${stage.edition}.mp4`, duration }],
          },
        }
      : {}),
  }
}
