// Google's Veo 3.1, as the Gemini API has it (https://ai.google.dev/gemini-api/docs/video; ended there on 22 October 2026)
// and as Vertex AI has it (veo-3.1-*-001, where files come inside of the answer).
import { generateKeyPairSync } from 'node:crypto'
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

const STATUSES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
}

const refusal = (code: number, message: string): VendorReply => ({
  status: code,
  json: { error: { code, message, status: STATUSES[code] } },
})

const among = (name: string, value: unknown, values: readonly string[]) =>
  values.includes(String(value))
    ? undefined
    : refusal(
        400,
        `\`${name}\` does not support \`${String(value)}\` for a value. ` +
          `Please provide a value from the following set: ${values.map((one) => `\`${one}\``).join(', ')}.`,
      )

/** What the documentation's tables refuse. */
function refused(model: string, { json }: VendorRequest, vertex: boolean): VendorReply | undefined {
  const [instance] = (json.instances ?? []) as Record<string, unknown>[]
  const parameters = (json.parameters ?? {}) as Record<string, unknown>
  const { aspectRatio = '16:9', resolution = '720p', durationSeconds = 8, generateAudio } = parameters
  if (!/^veo-3\.1-(fast-|lite-)?generate-(preview|001)$/.test(model))
    return refusal(404, `models/${model} is no longer available. Please use another model.`)
  const lite = model.includes('lite')
  if (!instance?.prompt && !instance?.image) return refusal(400, 'Text prompt is required for this model.')
  const wrong =
    among('aspectRatio', aspectRatio, ['16:9', '9:16']) ??
    among('resolution', resolution, lite ? ['720p', '1080p'] : ['720p', '1080p', '4k'])
  if (wrong) return wrong
  if (typeof durationSeconds !== 'number')
    return refusal(400, 'The value type for `durationSeconds` needs to be a number.')
  const pictures = (instance.referenceImages ?? []) as unknown[]
  const only8 = resolution !== '720p' || pictures.length > 0
  if (![4, 6, 8].includes(durationSeconds) || (only8 && durationSeconds !== 8))
    return refusal(
      400,
      `The number value for \`durationSeconds\` is out of bound. Please provide a value between ${only8 ? 8 : 4} and 8, inclusive.`,
    )
  if (pictures.length > 3) return refusal(400, 'Number of reference images must be less than or equal to 3.')
  const unknown =
    lite && pictures.length ? 'referenceImages' : !vertex && generateAudio !== undefined ? 'generateAudio' : ''
  return unknown
    ? refusal(
        400,
        `\`${unknown}\` isn't supported by this model. Please remove it or refer to the documentation for supported usage.`,
      )
    : undefined
}

const BLOCKED = (why = '') => ({
  raiMediaFilteredCount: 1,
  raiMediaFilteredReasons: [`We couldn't create your video: ${why}.`],
})

function operation(name: string, stage: Stage, response: Record<string, unknown>) {
  if (stage.is === 'waiting' || stage.is === 'running') return { name }
  if (stage.is === 'failed' && !stage.why?.includes('filter'))
    return { name, done: true, error: { code: 13, message: stage.why } }
  return { name, done: true, response }
}

const moods: PlayedVendor['refuse'] = (mood) =>
  mood === 'refuses'
    ? refusal(400, 'The prompt could not be submitted: it contains sensitive words.')
    : mood === 'overloaded'
      ? refusal(429, 'Resource has been exhausted (e.g. check quota).')
      : refusal(500, 'An internal error has occurred.')

export const playedVeo: PlayedVendor = {
  name: 'veo',
  id: (n) => `op${String(n).padStart(10, '0')}`,
  submits: ({ path }) => path.endsWith(':predictLongRunning'),
  refuse: moods,
  answer(request, shelf) {
    const { path, method } = request
    if (!/^(\/download)?\/v1beta\//.test(path)) return undefined
    if (!request.headers['x-goog-api-key'] && !request.query.get('key'))
      return refusal(403, "Method doesn't allow unregistered callers (callers without established identity).")
    if (!keyOf(request, 'x-goog-api-key') && !request.query.get('key'))
      return refusal(400, 'API key not valid. Please pass a valid API key.')
    if (/^\/v1beta\/files\/[^/]+:download$/.test(path))
      return { status: 302, headers: { location: `/download${path}?alt=media` }, json: {} }
    if (path.startsWith('/download/')) return fileReply(request)
    const [, model = '', rest] =
      /^\/v1beta\/models\/([^/:]+)(:predictLongRunning|\/operations\/[^/]+)$/.exec(path) ?? []
    if (!rest) return undefined
    if (method === 'POST') {
      const no = refused(model, request, false)
      return no ?? { json: { name: `models/${model}/operations/${shelf.take(request).id}` } }
    }
    return told(shelf, model, rest.slice('/operations/'.length))
  },
}

function told(shelf: Shelf, model: string, id: string): VendorReply {
  const stage = shelf.look(id)
  if (!stage) return refusal(404, `Operation models/${model}/operations/${id} not found.`)
  const uri = `${shelf.url}/v1beta/files/${stage.id}-${stage.edition}:download?alt=media`
  const generateVideoResponse = stage.is === 'done' ? { generatedSamples: [{ video: { uri } }] } : BLOCKED(stage.why)
  return {
    json: operation(`models/${model}/operations/${stage.id}`, stage, {
      '@type': 'type.googleapis.com/google.ai.generativelanguage.v1beta.PredictLongRunningResponse',
      generateVideoResponse,
    }),
  }
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** A key of a service account, whose tokens the played vendor at `url` gives. */
export const vertexKey = (url: string): string =>
  JSON.stringify({
    ...{ project_id: 'p1', client_email: 'weir@p1.iam.gserviceaccount.com', token_uri: `${url}/token` },
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  })

export const playedVertexVeo: PlayedVendor = {
  name: 'vertex-veo',
  id: (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  submits: ({ path }) => path.endsWith(':predictLongRunning'),
  refuse: moods,
  answer(request, shelf) {
    if (request.path === '/token') return { json: { access_token: 'played-token', expires_in: 3600 } }
    const [, place, model = '', action] =
      /^\/v1\/(projects\/[^/]+\/locations\/[^/]+)\/publishers\/google\/models\/([^/:]+):(predictLongRunning|fetchPredictOperation)$/.exec(
        request.path,
      ) ?? []
    if (!place || request.method !== 'POST') return undefined
    if (!keyOf(request)) return refusal(401, 'Request had invalid authentication credentials.')
    const nameOf = (id: string) => `${place}/publishers/google/models/${model}/operations/${id}`
    if (action === 'predictLongRunning')
      return refused(model, request, true) ?? { json: { name: nameOf(shelf.take(request).id) } }
    const asked = String(request.json.operationName ?? '')
    const stage = asked.startsWith(nameOf('')) ? shelf.look(asked.slice(nameOf('').length)) : undefined
    if (!stage) return refusal(404, `Operation ${asked} not found.`)
    const videos = [{ bytesBase64Encoded: Buffer.from(MADE).toString('base64'), mimeType: 'video/mp4' }]
    return {
      json: operation(nameOf(stage.id), stage, {
        '@type': 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse',
        ...(stage.is === 'done' ? { raiMediaFilteredCount: 0, videos } : BLOCKED(stage.why)),
      }),
    }
  },
}
