// Alibaba's Wan at DashScope, as "Wan3.0 - video generation", "Wan2.7 - text-to-video", "image-to-video" and "Wan
// text-to-video (2.1-2.6)" of https://www.alibabacloud.com/help/en/model-studio have it: what is asked is the same path for
// all, with other members in each generation.
import { fileReply, keyOf, type PlayedVendor, type Stage, type VendorReply, type VendorTask } from '../vendor.ts'

type Members = Record<string, unknown>

interface Model {
  seconds: readonly number[]
  /** 480, 720, 1080: lines. */
  lines: readonly number[]
  /** Pictures and films come in `media` from generation 2.7 on, one picture in `img_url` before. */
  pictures?: { media: Readonly<Record<string, number>> } | 'img_url'
  /** Text alone is enough. */
  text: boolean
}

const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at)
const FRAMES = { first_frame: 1, last_frame: 1, driving_audio: 1, first_clip: 1 }
const ALL = { first_frame: 1, last_frame: 1, reference_image: 10, reference_video: 5, reference_audio: 5 }
const MODELS: Record<string, Model> = {
  'wan3.0-video': { seconds: from(2, 30), lines: [480, 720, 1080], pictures: { media: ALL }, text: true },
  'wan2.7-t2v': { seconds: from(2, 15), lines: [720, 1080], text: true },
  'wan2.7-i2v': { seconds: from(2, 15), lines: [720, 1080], pictures: { media: FRAMES }, text: false },
  'wan2.7-r2v': {
    seconds: from(2, 15),
    lines: [720, 1080],
    pictures: { media: { first_frame: 1, reference_image: 5, reference_video: 5 } },
    text: false,
  },
  'wan2.6-t2v': { seconds: from(2, 15), lines: [720, 1080], text: true },
  'wan2.6-i2v': { seconds: from(2, 15), lines: [720, 1080], pictures: 'img_url', text: false },
  'wan2.5-t2v-preview': { seconds: [5, 10], lines: [480, 720, 1080], text: true },
  'wan2.5-i2v-preview': { seconds: [5, 10], lines: [480, 720, 1080], pictures: 'img_url', text: false },
}
const SIZES: Record<number, readonly string[]> = {
  480: ['832*480', '480*832', '624*624'],
  720: ['1280*720', '720*1280', '960*960', '1088*832', '832*1088'],
  1080: ['1920*1080', '1080*1920', '1440*1440', '1632*1248', '1248*1632'],
}
const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4']
const WORDS: Record<Stage['is'], string> = {
  waiting: 'PENDING',
  running: 'RUNNING',
  done: 'SUCCEEDED',
  failed: 'FAILED',
}
const SUBMIT = '/api/v1/services/aigc/video-generation/video-synthesis'
const request_id = '4909100c-7b5a-9f92-bfe5-xxxxxx'

const says = (status: number, code: string, message: string): VendorReply => ({
  status,
  json: { code, message, request_id },
})
const invalid = (message: string) => says(400, 'InvalidParameter', message)

export const playedDashscope: PlayedVendor = {
  name: 'dashscope',
  id: (n) => `0385dc79-5ff8-4d82-bcb6-${String(n).padStart(12, '0')}`,
  submits: ({ path }) => path === SUBMIT,
  refuse: (mood) =>
    mood === 'refuses'
      ? says(400, 'DataInspectionFailed', 'Input data may contain inappropriate content.')
      : mood === 'overloaded'
        ? says(429, 'Throttling.RateQuota', 'Requests rate limit exceeded, please try again later.')
        : says(
            500,
            'InternalError',
            'An internal error has occured, please try again later or contact service support.',
          ),
  answer(request, shelf) {
    if (request.path.startsWith('/files/')) return fileReply(request)
    if (!request.path.startsWith('/api/v1/')) return undefined
    if (!keyOf(request)) return says(401, 'InvalidApiKey', 'Invalid API-key provided.')
    const [, id, cancels] = /^\/api\/v1\/tasks\/([^/]+)(\/cancel)?$/.exec(request.path) ?? []
    if (request.method === 'POST' && request.path === SUBMIT) {
      if (request.headers['x-dashscope-async'] !== 'enable')
        return says(403, 'AccessDenied', 'current user api does not support synchronous calls.')
      const wrong = refusal(request.json)
      if (wrong) return wrong
      const { id: task_id } = shelf.take(request)
      return { json: { output: { task_status: 'PENDING', task_id }, request_id } }
    }
    if (!id) return undefined
    if (request.method === 'POST' && cancels) {
      if (shelf.peek(id)?.is !== 'waiting')
        return says(
          400,
          'UnsupportedOperation',
          'Failed to cancel the task, please confirm if the task is in PENDING status.',
        )
      shelf.cancel(id)
      return { json: { request_id } }
    }
    const stage = shelf.look(id)
    const task = shelf.tasks.find((one) => one.id === id)
    // Whoever is not known any more, after 24 hours, has a state too.
    if (!stage || !task) return { json: { request_id, output: { task_id: id, task_status: 'UNKNOWN' } } }
    return { json: told(shelf.url, stage, task) }
  },
}

function refusal({ model, input, parameters = {} }: Members): VendorReply | undefined {
  const found = MODELS[String(model)]
  if (!found) return says(404, 'ModelNotFound', `Model can not be found: ${String(model)}`)
  const { prompt, img_url, media = [] } = (input ?? {}) as { prompt?: unknown; img_url?: unknown; media?: unknown }
  if (found.text && !(typeof prompt === 'string' && prompt)) return invalid('Field required: input.prompt')
  if (found.pictures === 'img_url' && !img_url) return invalid('Field required: input.img_url')
  const items = Array.isArray(media) ? (media as { type?: unknown; url?: unknown }[]) : []
  const allowed = typeof found.pictures === 'object' ? found.pictures.media : {}
  if (typeof found.pictures === 'object' && !found.text && items.length === 0)
    return invalid('Field required: input.media')
  for (const { type, url } of items) {
    const most = allowed[String(type)] ?? 0
    if (items.filter((other) => other.type === type).length > most)
      return invalid(`input.media: at most ${most} of type ${String(type)}`)
    if (typeof url !== 'string' || !url) return invalid('Field required: input.media.url')
  }
  const kinds = items.map(({ type }) => String(type))
  if (
    model === 'wan3.0-video' &&
    kinds.some((one) => one.startsWith('reference')) &&
    kinds.some((one) => one.endsWith('frame'))
  )
    return invalid('input.media: frames and references can not be mixed')
  return ofParameters(String(model), found, parameters as Members)
}

function ofParameters(
  model: string,
  { seconds, lines, pictures }: Model,
  parameters: Members,
): VendorReply | undefined {
  const { size, resolution, ratio, duration, seed } = parameters
  const sizes = lines.flatMap((one) => SIZES[one] ?? [])
  const bySize = !/^wan(?:2\.7|3)/.test(model) && !pictures
  if (size !== undefined && (!bySize || !sizes.includes(String(size))))
    return invalid(`The size is not match the allowed size ${sizes.join(', ')}`)
  if (resolution !== undefined && (bySize || !lines.some((one) => resolution === `${one}P`)))
    return invalid(`parameters.resolution must be one of ${lines.map((one) => `${one}P`).join(', ')}`)
  if (ratio !== undefined && !RATIOS.includes(String(ratio)))
    return invalid(`parameters.ratio must be one of ${RATIOS.join(', ')}`)
  if (duration !== undefined && !(typeof duration === 'number' && seconds.includes(duration)))
    return invalid(`duration must be an integer in [${seconds[0]}, ${seconds.at(-1)}]`)
  return seed !== undefined && !(Number.isInteger(seed) && Number(seed) >= 0 && Number(seed) <= 2_147_483_647)
    ? invalid('seed must be in [0, 2147483647]')
    : undefined
}

function told(url: string, stage: Stage, task: VendorTask): Members {
  const { input, parameters } = task.asked as { input?: Members; parameters?: Members }
  const duration = Number(parameters?.duration ?? 5)
  const cancelled = stage.is === 'failed' && stage.why === 'cancelled'
  const output = {
    task_id: stage.id,
    task_status: cancelled ? 'CANCELED' : WORDS[stage.is],
    submit_time: inChina(),
    ...(stage.is === 'waiting' ? {} : { scheduled_time: inChina() }),
  }
  if (stage.is === 'failed')
    return { request_id, output: { ...output, code: 'DataInspectionFailed', message: stage.why } }
  if (stage.is !== 'done') return { request_id, output }
  return {
    request_id,
    output: {
      ...output,
      end_time: inChina(),
      orig_prompt: input?.prompt ?? '',
      video_url: `${url}/files/${stage.id}-${stage.edition}.mp4?Expires=1`,
    },
    usage: {
      duration,
      input_video_duration: 0,
      output_video_duration: duration,
      video_count: 1,
      SR: Number.parseInt(String(parameters?.resolution ?? linesOf(String(parameters?.size ?? '1920*1080'))), 10),
    },
  }
}

/** Now, by its clock. */
const inChina = (): string => new Date(Date.now() + 8 * 3_600_000).toISOString().replace('T', ' ').slice(0, 23)

const linesOf = (size: string) => Object.entries(SIZES).find(([, sizes]) => sizes.includes(size))?.[0] ?? '1080'
