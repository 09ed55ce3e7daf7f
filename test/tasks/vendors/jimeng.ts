// Jimeng's films at Volcengine's visual API (visual.volcengineapi.com): one path, an action in the query, and requests that
// are signed with HMAC-SHA256. https://www.volcengine.com/docs/85621/1792704 and https://www.volcengine.com/docs/6369/67269.
import { createHash, createHmac } from 'node:crypto'
import { fileReply, type PlayedVendor, type Stage, type VendorReply, type VendorRequest } from '../vendor.ts'

/** What a channel's key says: the id and the secret of an access key. */
export const JIMENG_KEY = { id: 'AKLTplayed', secret: 'played-secret' } as const

const WORDS: Record<Stage['is'], string> = { waiting: 'in_queue', running: 'generating', done: 'done', failed: 'done' }

interface Model {
  /** How many pictures it takes. */
  pictures: [least: number, most: number]
}
const MODELS: Record<string, Model> = {
  jimeng_t2v_v30: { pictures: [0, 0] },
  jimeng_t2v_v30_1080p: { pictures: [0, 0] },
  jimeng_i2v_first_v30: { pictures: [1, 1] },
  jimeng_i2v_first_v30_1080: { pictures: [1, 1] },
  jimeng_i2v_first_tail_v30: { pictures: [2, 2] },
  jimeng_i2v_first_tail_v30_1080: { pictures: [2, 2] },
  jimeng_ti2v_v30_pro: { pictures: [0, 1] },
}
const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']
/** At 24 a second: of 5 and of 10 seconds. */
const FRAMES = [121, 241]

const answered = (code: number, message: string, data: unknown = null, status = 200): VendorReply => ({
  status,
  json: { code, data, message, request_id: '20261123000000PLAYED', status: code, time_elapsed: '12.3ms' },
})

const gate = ({ query }: VendorRequest, code: string, number: number, message: string): VendorReply => ({
  status: 401,
  json: {
    ResponseMetadata: {
      RequestId: '20261123000000PLAYED',
      Action: query.get('Action') ?? '',
      Version: query.get('Version') ?? '',
      Service: 'cv',
      Region: 'cn-north-1',
      Error: { Code: code, CodeN: number, Message: message },
    },
  },
})

const hash = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const sealed = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The signature anew, from what came. */
function unsigned(request: VendorRequest): VendorReply | undefined {
  const { headers, query, path, method, body } = request
  const [, id, date = '', names = '', signature] =
    /^HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/cn-north-1\/cv\/request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (!signature)
    return gate(request, 'MissingAuthenticationToken', 100_009, 'The request must contain a valid signature.')
  if (id !== JIMENG_KEY.id) return gate(request, 'InvalidAccessKey', 100_009, 'The access key does not exist.')
  const signed = names.split(';')
  const sorted = [...query].sort(([a], [b]) => (a < b ? -1 : 1))
  const canonical = [
    method,
    path,
    sorted.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&'),
    ...signed.map((name) => `${name}:${(headers[name] ?? '').trim()}`),
    '',
    names,
    hash(body),
  ].join('\n')
  const scope = `${date}/cn-north-1/cv/request`
  const text = ['HMAC-SHA256', headers['x-date'] ?? '', scope, hash(canonical)].join('\n')
  const key = ['cn-north-1', 'cv', 'request'].reduce(sealed, sealed(JIMENG_KEY.secret, date))
  const right = sealed(key, text).toString('hex') === signature
  return right && ['host', 'x-date'].every((name) => signed.includes(name)) && headers['x-date']?.startsWith(date)
    ? undefined
    : gate(
        request,
        'SignatureDoesNotMatch',
        100_010,
        'The request signature we calculated does not match the signature you provided.',
      )
}

function refused(asked: Record<string, unknown>): VendorReply | undefined {
  const model = MODELS[String(asked.req_key ?? '')]
  const no = (words: string) => answered(50_215, `Input invalid for this service: ${words}`, null, 400)
  if (!model) return no('req_key')
  const urls = Array.isArray(asked.image_urls) ? asked.image_urls : []
  const bytes = Array.isArray(asked.binary_data_base64) ? asked.binary_data_base64 : []
  const pictures = urls.length + bytes.length
  const [least, most] = model.pictures
  if (pictures < least || pictures > most || (urls.length && bytes.length)) return no('image_urls')
  if (!pictures && !asked.prompt) return no('prompt')
  if (String(asked.prompt ?? '').length > 800) return no('prompt')
  if (asked.frames !== undefined && !FRAMES.includes(asked.frames as number)) return no('frames')
  return asked.aspect_ratio !== undefined && !RATIOS.includes(String(asked.aspect_ratio))
    ? no('aspect_ratio')
    : undefined
}

export const playedJimeng: PlayedVendor = {
  name: 'jimeng',
  id: (n) => String(7_390_000_000_000_000n + BigInt(n)),
  submits: ({ query }) => query.get('Action') === 'CVSync2AsyncSubmitTask',
  refuse: (mood) =>
    mood === 'refuses'
      ? answered(50_412, 'Text Risk Not Pass', null, 400)
      : mood === 'overloaded'
        ? answered(50_430, 'Request Has Reached API Concurrent Limit, Please Try Later', null, 429)
        : answered(50_500, 'Internal Error', null, 500),
  answer(request, shelf) {
    const { path, method, query, json } = request
    if (path.startsWith('/files/')) return fileReply(request)
    if (path !== '/' || method !== 'POST') return undefined
    const no = unsigned(request)
    if (no) return no
    if (query.get('Version') !== '2022-08-31')
      return gate(request, 'InvalidActionOrVersion', 100_008, 'Could not find operation for this version.')
    if (query.get('Action') === 'CVSync2AsyncSubmitTask')
      return refused(json) ?? answered(10_000, 'Success', { task_id: shelf.take(request).id })
    if (query.get('Action') !== 'CVSync2AsyncGetResult') return undefined
    const id = String(json.task_id ?? '')
    const task = shelf.tasks.find((kept) => kept.id === id)
    if (task && task.asked.req_key !== json.req_key)
      return answered(50_215, 'Input invalid for this service: req_key', null, 400)
    const stage = task && shelf.look(id)
    if (!stage) return answered(10_000, 'Success', { status: 'not_found', video_url: '' })
    if (stage.is === 'failed') return answered(50_511, 'Post Img Risk Not Pass', null, 400)
    const video_url = stage.is === 'done' ? `${shelf.url}/files/${stage.id}-${stage.edition}.mp4` : ''
    return answered(10_000, 'Success', { status: WORDS[stage.is], video_url, aigc_meta_tagged: false })
  },
}
