// The shape of OpenAI's Videos API (its OpenAPI description and SDK 6.x). OpenAI itself ended it on 24 September 2026; those
// who keep the shape answer in these words.
import {
  fileReply,
  keyOf,
  type PlayedVendor,
  type Shelf,
  type Stage,
  type VendorReply,
  type VendorTask,
} from '../vendor.ts'

const WORDS: Record<Stage['is'], string> = {
  waiting: 'queued',
  running: 'in_progress',
  done: 'completed',
  failed: 'failed',
}
const SMALL = ['720x1280', '1280x720']
const SIZES: Record<string, string[]> = {
  'sora-2': SMALL,
  'sora-2-pro': [...SMALL, '1024x1792', '1792x1024'],
}
const SECONDS = ['4', '8', '12']
const VARIANTS: Record<string, string> = { video: 'video/mp4', thumbnail: 'image/webp', spritesheet: 'image/jpeg' }

const refusal = (
  status: number,
  message: string,
  param: string | null = null,
  code: string | null = null,
): VendorReply => ({
  status,
  json: { error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param, code } },
})

const listed = (values: readonly string[]) =>
  values
    .map((value) => `'${value}'`)
    .join(', ')
    .replace(/, ([^,]+)$/, ', and $1')

const invalid = (param: string, value: unknown, allowed: readonly string[]) =>
  refusal(400, `Invalid value: '${String(value)}'. Supported values are: ${listed(allowed)}.`, param, 'invalid_value')

function refused(asked: Record<string, unknown>): VendorReply | undefined {
  const { prompt, model = 'sora-2', size = '720x1280', seconds = '4' } = asked
  if (typeof prompt !== 'string' || !prompt)
    return refusal(400, "Missing required parameter: 'prompt'.", 'prompt', 'missing_required_parameter')
  const sizes = SIZES[String(model)]
  if (!sizes) return invalid('model', model, Object.keys(SIZES))
  if (!sizes.includes(String(size))) return invalid('size', size, sizes)
  return SECONDS.includes(String(seconds)) ? undefined : invalid('seconds', seconds, SECONDS)
}

function video(stage: Stage, { asked, path }: VendorTask) {
  const finished = stage.is === 'done' || stage.is === 'failed'
  const [, source = null] = /^\/v1\/videos\/([^/]+)\/remix$/.exec(path) ?? []
  return {
    id: stage.id,
    object: 'video',
    model: asked.model ?? 'sora-2',
    status: WORDS[stage.is],
    progress: stage.progress,
    created_at: 1_760_000_000,
    completed_at: finished ? 1_760_000_060 : null,
    expires_at: stage.is === 'done' ? 1_760_003_660 : null,
    prompt: asked.prompt,
    seconds: asked.seconds ?? '4',
    size: asked.size ?? '720x1280',
    remixed_from_video_id: source,
    error: stage.is === 'failed' ? { code: 'moderation_blocked', message: stage.why } : null,
  }
}

const missing = (id: string) => refusal(404, `Video with id '${id}' not found.`, 'id')

/** Deleted is not known any more. */
const known = (stage: Stage | undefined) => (stage?.why === 'cancelled' ? undefined : stage)

function one(request: Parameters<PlayedVendor['answer']>[0], shelf: Shelf, task: VendorTask): VendorReply {
  const { id } = task
  const [, , , , part] = request.path.split('/')
  if (request.method === 'DELETE') {
    shelf.cancel(id)
    return { json: { id, object: 'video.deleted', deleted: true } }
  }
  if (part === 'content') {
    const stage = known(shelf.peek(id))
    const variant = request.query.get('variant') ?? 'video'
    const type = VARIANTS[variant]
    if (!stage) return missing(id)
    if (!type) return invalid('variant', variant, Object.keys(VARIANTS))
    return stage.is === 'done'
      ? fileReply(request, type)
      : refusal(404, `Video is not ready yet, use GET /v1/videos/${id} to check status.`)
  }
  const stage = known(shelf.look(id))
  return stage ? { json: video(stage, task) } : missing(id)
}

function all({ query }: Parameters<PlayedVendor['answer']>[0], shelf: Shelf): VendorReply {
  const newest = query.get('order') === 'asc' ? [...shelf.tasks] : [...shelf.tasks].reverse()
  const from = newest.findIndex(({ id }) => id === query.get('after')) + 1
  const limit = Number(query.get('limit') ?? 20)
  const data = newest.slice(from, from + limit).flatMap((task) => {
    const stage = known(shelf.peek(task.id))
    return stage ? [video(stage, task)] : []
  })
  const has_more = newest.length > from + limit
  return { json: { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more } }
}

export const playedOpenaiVideos: PlayedVendor = {
  name: 'openai-videos',
  id: (n) => `video_${String(n).padStart(32, '0')}`,
  submits: ({ method, path }) => method === 'POST' && path.startsWith('/v1/videos'),
  refuse: (mood) =>
    mood === 'refuses'
      ? refusal(400, 'Your request was blocked by our moderation system.', null, 'moderation_blocked')
      : mood === 'overloaded'
        ? refusal(429, 'Rate limit reached for sora-2.', null, 'rate_limit_exceeded')
        : refusal(500, 'The server had an error while processing your request.'),
  answer(request, shelf) {
    const { method, path } = request
    if (!/^\/v1\/videos(\/|$)/.test(path)) return undefined
    if (!keyOf(request)) return refusal(401, 'Incorrect API key provided.', null, 'invalid_api_key')
    if (path === '/v1/videos') {
      if (method === 'GET') return all(request, shelf)
      const no = refused(request.json)
      if (no) return no
      const task = shelf.take(request)
      const stage: Stage = { id: task.id, is: 'waiting', progress: 0, edition: 1 }
      return { json: video(stage, task) }
    }
    const id = path.split('/')[3] ?? ''
    const task = shelf.tasks.find((kept) => kept.id === id)
    if (!task) return missing(id)
    if (!path.endsWith('/remix')) return one(request, shelf, task)
    const source = known(shelf.peek(id))
    if (source?.is !== 'done') return refusal(400, 'Only completed videos can be remixed.', 'video_id')
    if (!request.json.prompt) return refused({})
    const { model, size, seconds } = task.asked
    const remix = shelf.take({ ...request, json: { model, size, seconds, ...request.json } })
    return { json: video({ id: remix.id, is: 'waiting', progress: 0, edition: 1 }, remix) }
  },
}
