// MiniMax's video tasks: Hailuo at /v1 (errors come with status 200, the file is asked for by its id), H3 at /v2.
// https://platform.minimax.io/docs/api-reference/ video-generation-t2v, -query, -download, -v2-create and -v2-query.
import {
  MADE,
  fileReply,
  keyOf,
  type PlayedVendor,
  type Shelf,
  type Stage,
  type VendorReply,
  type VendorRequest,
} from '../vendor.ts'

/** Which seconds each resolution may have, by model. */
const HAILUO: Record<string, Record<string, number[]>> = {
  'MiniMax-Hailuo-2.3': { '768P': [6, 10], '1080P': [6] },
  'MiniMax-Hailuo-2.3-Fast': { '768P': [6, 10], '1080P': [6] },
  'MiniMax-Hailuo-02': { '512P': [6, 10], '768P': [6, 10], '1080P': [6] },
  'T2V-01-Director': { '720P': [6] },
  'T2V-01': { '720P': [6] },
  'I2V-01-Director': { '720P': [6] },
  'I2V-01-live': { '720P': [6] },
  'I2V-01': { '720P': [6] },
  'S2V-01': { '720P': [6] },
}
const NEEDS_PICTURE = /^I2V-|-Fast$/
const H3 = {
  resolutions: { 'MiniMax-H3': ['768P', '2K'], 'MiniMax-H3-Max': ['480P', '768P'] } as Record<string, string[]>,
  seconds: [4, 15] as const,
  ratios: ['adaptive', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'],
  pictures: 9,
}
const WORDS: Record<Stage['is'], string> = {
  waiting: 'Queueing',
  running: 'Processing',
  done: 'Success',
  failed: 'Fail',
}
const WORDS_V2: Record<Stage['is'], string> = {
  waiting: 'queued',
  running: 'running',
  done: 'succeeded',
  failed: 'failed',
}
const SIZES: Record<string, [width: number, height: number]> = {
  '512P': [910, 512],
  '720P': [1280, 720],
  '768P': [1366, 768],
  '1080P': [1920, 1080],
}

const base = (status_code = 0, status_msg = 'success') => ({ base_resp: { status_code, status_msg } })
/** At /v1 a refusal is a status 200. */
const refusal = (code: number, message: string): VendorReply => ({ json: { task_id: '', ...base(code, message) } })

const KINDS: Record<number, string> = {
  400: 'bad_request_error',
  401: 'authorized_error',
  404: 'not_found_error',
  422: 'unprocessable_entity_error',
  429: 'rate_limit_error',
  500: 'server_error',
}
const refusalV2 = (status: number, code: number, message: string): VendorReply => ({
  status,
  json: {
    type: 'error',
    error: { type: KINDS[status], message: `${message} (${code})`, http_code: String(status) },
    request_id: '021785229015510a2c883cf675b9804d',
  },
})

function refused(asked: Record<string, unknown>): VendorReply | undefined {
  const model = String(asked.model ?? '')
  const known = HAILUO[model]
  if (!known) return refusal(2013, `invalid params, model ${model} not found`)
  const pictured = asked.first_frame_image !== undefined || asked.last_frame_image !== undefined
  if (NEEDS_PICTURE.test(model) && !pictured) return refusal(2013, 'invalid params, first_frame_image is required')
  if (!pictured && !asked.prompt) return refusal(2013, 'invalid params, prompt is required')
  if (String(asked.prompt ?? '').length > 2000)
    return refusal(2013, 'invalid params, prompt length should be less than 2000')
  const resolution = String(asked.resolution ?? ('768P' in known ? '768P' : '720P'))
  const seconds = known[resolution]
  if (!seconds) return refusal(2013, `invalid params, model ${model} does not support resolution ${resolution}`)
  const { duration = 6 } = asked
  return seconds.includes(duration as number)
    ? undefined
    : refusal(
        2013,
        `invalid params, model ${model} does not support duration ${String(duration)}s with resolution ${resolution}`,
      )
}

interface Part {
  type: string
  text?: string
  role?: string
}

function refusedV2(asked: Record<string, unknown>): VendorReply | undefined {
  const model = String(asked.model ?? '')
  const resolutions = H3.resolutions[model]
  const no = (words: string) => refusalV2(400, 2013, `invalid params, ${words}`)
  if (!resolutions) return no(`model ${model} not found`)
  const parts = Array.isArray(asked.content) ? (asked.content as Part[]) : []
  if (!parts.some(({ type, text }) => type === 'text' && text?.trim()))
    return no('content must include a non-empty text item (prompt is required)')
  if (!resolutions.includes(String(asked.resolution))) return no(`resolution must be one of ${resolutions.join(', ')}`)
  const { duration } = asked
  const [least, most] = H3.seconds
  if (!Number.isInteger(duration) || Number(duration) < least || Number(duration) > most)
    return no(`duration must be an integer between ${least} and ${most}`)
  const { ratio = 'adaptive' } = asked
  if (!H3.ratios.includes(String(ratio))) return no(`ratio must be one of ${H3.ratios.join(', ')}`)
  const media = parts.filter(({ type }) => type !== 'text')
  if (!media.length && ratio === 'adaptive') return no('ratio is required for text-to-video and must not be adaptive')
  const references = media.filter(({ role }) => role?.startsWith('reference_')).length
  if (references && references < media.length)
    return no('first_frame/last_frame cannot be used with reference_* in one request')
  return references > H3.pictures ? no(`at most ${H3.pictures} reference images are supported`) : undefined
}

/** The id of a file says which task made it, and which edition it is. */
const fileId = ({ id, edition }: Stage) => `${Number.parseInt(id, 10)}${edition}`

function v1(request: VendorRequest, shelf: Shelf): VendorReply | undefined {
  const { method, path, query } = request
  if (!keyOf(request))
    return refusal(1004, 'login fail: Please carry the API secret key in the Authorization field of the request header')
  if (method === 'POST' && path === '/v1/video_generation')
    return refused(request.json) ?? { json: { task_id: shelf.take(request).id, ...base() } }
  if (path === '/v1/query/video_generation') {
    const id = query.get('task_id') ?? ''
    const stage = shelf.look(id)
    if (!stage) return refusal(2013, `invalid params, task ${id} not found`)
    const { asked } = shelf.tasks.find((task) => task.id === id) ?? {}
    const [video_width, video_height] = SIZES[String(asked?.resolution ?? '768P')] ?? []
    const told = { task_id: stage.id, status: WORDS[stage.is] }
    if (stage.is === 'failed') return { json: { ...told, file_id: '', ...base(1027, stage.why) } }
    return {
      json: {
        ...told,
        ...(stage.is === 'done' ? { file_id: fileId(stage), video_width, video_height } : { file_id: '' }),
        ...base(),
      },
    }
  }
  if (path !== '/v1/files/retrieve') return undefined
  const id = query.get('file_id') ?? ''
  if (!shelf.tasks.some((task) => id.startsWith(task.id))) return refusal(2013, `invalid params, file ${id} not found`)
  const file = {
    file_id: Number(id),
    bytes: MADE.length,
    created_at: 1_770_000_060,
    filename: 'output_aigc.mp4',
    purpose: 'video_generation',
    download_url: `${shelf.url}/files/${id}.mp4?Expires=${Math.floor(Date.now() / 1000) + 86_400}&Signature=played`,
  }
  return { json: { file, ...base() } }
}

function taskV2(stage: Stage, asked: Record<string, unknown>, url: string) {
  const duration = Number(asked.duration)
  return {
    id: stage.id,
    model: asked.model,
    status: stage.why === 'cancelled' ? 'cancelled' : WORDS_V2[stage.is],
    created_at: 1_785_000_000,
    updated_at: 1_785_000_060,
    resolution: asked.resolution,
    ratio: asked.ratio === 'adaptive' ? '16:9' : asked.ratio,
    duration,
    task_type: 'generation',
    ...(stage.is === 'failed' ? { error: { code: '1027', message: stage.why } } : {}),
    ...(stage.is === 'done'
      ? {
          content: { url: `${url}/files/${stage.id}-${stage.edition}.mp4?Signature=played` },
          usage: { total_seconds: duration, input_seconds: 0, output_seconds: duration, input_image_count: 0 },
        }
      : {}),
  }
}

function v2(request: VendorRequest, shelf: Shelf): VendorReply | undefined {
  const { method, path, query } = request
  if (!keyOf(request))
    return refusalV2(
      401,
      1004,
      "login fail: Please carry the API secret key in the 'Authorization' field of the request header",
    )
  if (method === 'POST' && path === '/v2/video_generation')
    return refusedV2(request.json) ?? { json: { task_id: shelf.take(request).id } }
  const [, id] = /^\/v2\/(?:query\/)?video_generation\/([^/]+)$/.exec(path) ?? []
  const task = shelf.tasks.find((kept) => kept.id === id)
  if (id && !task) return refusalV2(404, 2013, `task ${id} not found`)
  if (method === 'DELETE' && task) {
    if (shelf.peek(task.id)?.is === 'running')
      return refusalV2(400, 2013, 'invalid params, only queued tasks can be cancelled')
    shelf.cancel(task.id)
    return { json: {} }
  }
  if (method === 'GET' && task) {
    const stage = shelf.look(task.id)
    return stage
      ? { json: { task: taskV2(stage, task.asked, shelf.url) } }
      : refusalV2(404, 2013, `task ${task.id} not found`)
  }
  if (path !== '/v2/query/video_generation') return undefined
  const wanted = query.getAll('filter.task_ids').flatMap((ids) => ids.split(','))
  const items = shelf.tasks.flatMap((kept) => {
    const stage = wanted.includes(kept.id) ? shelf.look(kept.id) : wanted.length ? undefined : shelf.peek(kept.id)
    return stage ? [taskV2(stage, kept.asked, shelf.url)] : []
  })
  return { json: { items, total: items.length } }
}

const REFUSALS = {
  refuses: [422, 1026, 'video description contains sensitive content'],
  overloaded: [429, 1002, 'rate limit, please retry later'],
  broken: [500, 1000, 'internal error'],
} as const

export const playedMinimax: PlayedVendor = {
  name: 'minimax',
  id: (n) => String(424_010_985_738_000 + n),
  submits: ({ method, path }) => method === 'POST' && path.endsWith('/video_generation'),
  refuse(mood, { path }) {
    const [status, code, message] = REFUSALS[mood]
    return path.startsWith('/v2/') ? refusalV2(status, code, message) : refusal(code, message)
  },
  callback(task, stage, shelf) {
    const url = task.asked.callback_url
    if (typeof url !== 'string') return undefined
    if (task.path.startsWith('/v2/')) return { url, json: { task: taskV2(stage, task.asked, shelf.url) } }
    const status = { waiting: 'processing', running: 'processing', done: 'success', failed: 'failed' }[stage.is]
    return { url, json: { task_id: stage.id, status, file_id: stage.is === 'done' ? fileId(stage) : '', ...base() } }
  },
  answer(request, shelf) {
    const { path } = request
    if (path.startsWith('/files/')) return fileReply(request)
    return path.startsWith('/v1/') ? v1(request, shelf) : path.startsWith('/v2/') ? v2(request, shelf) : undefined
  },
}
