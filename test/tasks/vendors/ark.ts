// Volcengine Ark's video tasks (Seedance): https://www.volcengine.com/docs/82379/1520757 and the pages beside it.
import {
  fileReply,
  keyOf,
  type PlayedVendor,
  type Shelf,
  type Stage,
  type VendorReply,
  type VendorTask,
} from '../vendor.ts'

const PATH = '/api/v3/contents/generations/tasks'
const WORDS: Record<Stage['is'], string> = {
  waiting: 'queued',
  running: 'running',
  done: 'succeeded',
  failed: 'failed',
}

interface Model {
  resolutions: string[]
  seconds: [least: number, most: number]
  /** Seconds that the model chooses itself are asked for as -1. */
  chooses?: boolean
  pictures: number
}
const MODELS: Record<string, Model> = {
  'doubao-seedance-2-5-260628': {
    resolutions: ['480p', '720p', '1080p'],
    seconds: [4, 30],
    chooses: true,
    pictures: 30,
  },
  'doubao-seedance-2-0-260128': {
    resolutions: ['480p', '720p', '1080p', '4k'],
    seconds: [4, 15],
    chooses: true,
    pictures: 9,
  },
  'doubao-seedance-2-0-fast-260128': { resolutions: ['480p', '720p'], seconds: [4, 15], chooses: true, pictures: 9 },
  'doubao-seedance-2-0-mini-260615': { resolutions: ['480p', '720p'], seconds: [4, 15], chooses: true, pictures: 9 },
  'doubao-seedance-1-5-pro-251215': {
    resolutions: ['480p', '720p', '1080p'],
    seconds: [4, 12],
    chooses: true,
    pictures: 0,
  },
  'doubao-seedance-1-0-pro-250528': { resolutions: ['480p', '720p', '1080p'], seconds: [2, 12], pictures: 0 },
  'doubao-seedance-1-0-pro-fast-251015': { resolutions: ['480p', '720p', '1080p'], seconds: [2, 12], pictures: 0 },
}
const RATIOS: Record<string, number> = {
  '16:9': 16 / 9,
  '4:3': 4 / 3,
  '1:1': 1,
  '3:4': 3 / 4,
  '9:16': 9 / 16,
  '21:9': 21 / 9,
}
const HEIGHTS: Record<string, number> = { '480p': 480, '720p': 720, '1080p': 1080, '4k': 2160 }

const TYPES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  404: 'NotFound',
  409: 'Conflict',
  429: 'TooManyRequests',
  500: 'InternalServerError',
}

const refusal = (status: number, code: string, message: string, param = ''): VendorReply => ({
  status,
  json: { error: { code, message: `${message} Request id: 0217000000000000`, param, type: TYPES[status] } },
})

interface Part {
  type: string
  text?: string
  role?: string
  image_url?: { url?: string }
}

const partsOf = (asked: Record<string, unknown>) => (Array.isArray(asked.content) ? (asked.content as Part[]) : [])

function refused(asked: Record<string, unknown>): VendorReply | undefined {
  const model = String(asked.model ?? '')
  const known = MODELS[model]
  if (!known)
    return refusal(
      404,
      'InvalidEndpointOrModel.NotFound',
      `The model or endpoint ${model} does not exist or you do not have access to it.`,
    )
  const parts = partsOf(asked)
  if (!parts.length) return refusal(400, 'MissingParameter', 'The request is missing `content` parameter.', 'content')
  const pictures = parts.filter(({ type }) => type === 'image_url')
  const references = pictures.filter(({ role }) => role === 'reference_image').length
  const kind = references ? 'r2v' : pictures.length === 2 ? 'flf2v' : pictures.length ? 'i2v' : 't2v'
  const { resolution = '720p', ratio = '16:9', duration = 5 } = asked
  const [least, most] = known.seconds
  const seconds = Number(duration)
  const wrong = !known.resolutions.includes(String(resolution))
    ? 'resolution'
    : !(String(ratio) in RATIOS) && ratio !== 'adaptive'
      ? 'ratio'
      : !Number.isInteger(seconds) || !((seconds >= least && seconds <= most) || (known.chooses && seconds === -1))
        ? 'duration'
        : references > known.pictures || (references && references < pictures.length)
          ? 'content'
          : undefined
  return wrong
    ? refusal(
        400,
        'InvalidParameter',
        `the parameter ${wrong} specified in the request is not valid for model ${model.replace(/-\d{6}$/, '')} in ${kind}.`,
        wrong,
      )
    : undefined
}

function told(stage: Stage, { asked }: VendorTask, url: string) {
  const { resolution = '720p', generate_audio = true, return_last_frame = false } = asked
  const ratio = asked.ratio === 'adaptive' ? '16:9' : String(asked.ratio ?? '16:9')
  const duration = Number(asked.duration ?? 5) === -1 ? 7 : Number(asked.duration ?? 5)
  const height = HEIGHTS[String(resolution)] ?? 720
  const tokens = Math.round((height * height * (RATIOS[ratio] ?? 1) * (duration * 24 + 1)) / 1024)
  const now = Math.floor(Date.now() / 1000)
  const file = `${url}/files/${stage.id}-${stage.edition}`
  return {
    id: stage.id,
    model: asked.model,
    status: stage.why === 'cancelled' ? 'cancelled' : WORDS[stage.is],
    error: stage.is === 'failed' ? { code: 'OutputVideoSensitiveContentDetected', message: stage.why } : null,
    created_at: now - 60,
    updated_at: now,
    ...(stage.is === 'done'
      ? {
          content: {
            video_url: `${file}.mp4?X-Tos-Expires=86400`,
            ...(return_last_frame ? { last_frame_url: `${file}.png?X-Tos-Expires=86400` } : {}),
          },
          usage: { completion_tokens: tokens, total_tokens: tokens },
          seed: 58_944,
          resolution,
          ratio,
          duration,
          framespersecond: 24,
        }
      : {}),
    generate_audio,
    service_tier: 'default',
    execution_expires_after: 172_800,
  }
}

function all(query: URLSearchParams, shelf: Shelf): VendorReply {
  const wanted = query.getAll('filter.task_ids').flatMap((ids) => ids.split(','))
  const found = shelf.tasks.flatMap((task) => {
    if (wanted.length && !wanted.includes(task.id)) return []
    const stage = wanted.length ? shelf.look(task.id) : shelf.peek(task.id)
    return stage ? [told(stage, task, shelf.url)] : []
  })
  const only = found.filter(({ status }) => status === (query.get('filter.status') ?? status))
  const size = Number(query.get('page_size') ?? 20)
  const first = (Number(query.get('page_num') ?? 1) - 1) * size
  return { json: { items: only.slice(first, first + size), total: only.length } }
}

export const playedArk: PlayedVendor = {
  name: 'ark',
  id: (n) => `cgt-20261123120000-${String(n).padStart(5, '0')}`,
  submits: ({ method, path }) => method === 'POST' && path === PATH,
  refuse: (mood) =>
    mood === 'refuses'
      ? refusal(
          400,
          'InputTextSensitiveContentDetected',
          'The request failed because the input text may contain sensitive information.',
        )
      : mood === 'overloaded'
        ? refusal(429, 'ServerOverloaded', 'The service is currently unable to handle additional requests.')
        : refusal(500, 'InternalServiceError', 'The service encountered an unexpected internal error.'),
  callback: (task, stage, shelf) =>
    typeof task.asked.callback_url === 'string'
      ? { url: task.asked.callback_url, json: told(stage, task, shelf.url) }
      : undefined,
  answer(request, shelf) {
    const { method, path } = request
    if (path.startsWith('/files/')) return fileReply(request, path.endsWith('.png') ? 'image/png' : 'video/mp4')
    if (path !== PATH && !path.startsWith(`${PATH}/`)) return undefined
    if (!keyOf(request)) return refusal(401, 'AuthenticationError', 'The API key in the request is missing or invalid.')
    if (path === PATH) {
      if (method === 'GET') return all(request.query, shelf)
      return refused(request.json) ?? { json: { id: shelf.take(request).id } }
    }
    const id = path.slice(PATH.length + 1)
    const task = shelf.tasks.find((kept) => kept.id === id)
    const stage = method === 'DELETE' ? shelf.peek(id) : shelf.look(id)
    if (!task || !stage) return refusal(404, 'ResourceNotFound', `The specified task ${id} is not found.`)
    if (method !== 'DELETE') return { json: told(stage, task, shelf.url) }
    if (stage.is === 'running')
      return refusal(
        409,
        'InvalidAction.RunningTaskDeletion',
        `Cannot delete task \`${id}\` because it is currently running.`,
      )
    shelf.cancel(id)
    return { json: {} }
  },
}
