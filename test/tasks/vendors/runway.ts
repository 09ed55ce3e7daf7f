// Runway's API of version 2024-11-06, as https://docs.dev.runwayml.com and the types of its SDK (@runwayml/sdk 4.12) have it.
import { fileReply, keyOf, type PlayedVendor, type Stage, type VendorReply } from '../vendor.ts'

interface Model {
  seconds: readonly number[]
  ratios: readonly string[]
  /** What it must be told beside its own name. */
  needs: readonly string[]
  /** Which of first, last and reference pictures it takes. */
  pictures?: 'first' | 'first, last' | 'all'
  /** It makes sound where it is told to. */
  audio?: true
}

const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at)
const HD = ['1280:720', '720:1280']
const FULL = [...HD, '1080:1920', '1920:1080']
const GEN4 = [...HD, '1104:832', '960:960', '832:1104', '1584:672']
const SEEDANCE = [
  ...['992:432', '864:496', '752:560', '640:640', '560:752', '496:864', '1470:630', '1280:720', '1112:834', '960:960'],
  ...['834:1112', '720:1280', '2206:946', '1920:1080', '1664:1248', '1440:1440', '1248:1664', '1080:1920'],
]
const VEO = { seconds: [4, 6, 8], ratios: FULL, audio: true } as const
const BOTH = ['promptText', 'duration', 'ratio']
const PATHS: Record<string, Record<string, Model>> = {
  text_to_video: {
    'gen4.5': { seconds: from(2, 10), ratios: HD, needs: BOTH },
    'veo3.1': { ...VEO, needs: ['promptText', 'ratio'] },
    'veo3.1_fast': { ...VEO, needs: ['promptText', 'ratio'] },
    veo3: { seconds: [8], ratios: FULL, needs: BOTH },
    seedance2: { seconds: from(4, 15), ratios: SEEDANCE, needs: ['promptText'], audio: true },
  },
  image_to_video: {
    'gen4.5': { seconds: from(2, 10), ratios: GEN4, needs: BOTH, pictures: 'first' },
    gen4_turbo: { seconds: from(2, 10), ratios: GEN4, needs: ['ratio'], pictures: 'first' },
    'veo3.1': { ...VEO, needs: ['ratio'], pictures: 'first, last' },
    'veo3.1_fast': { ...VEO, needs: ['ratio'], pictures: 'first, last' },
    veo3: { seconds: [8], ratios: FULL, needs: ['duration', 'ratio'], pictures: 'first' },
    seedance2: { seconds: from(4, 15), ratios: SEEDANCE, needs: [], pictures: 'all', audio: true },
  },
  video_to_video: {
    aleph2: { seconds: [], ratios: [], needs: ['videoUri'] },
  },
}
const WORDS: Record<Stage['is'], string> = {
  waiting: 'PENDING',
  running: 'RUNNING',
  done: 'SUCCEEDED',
  failed: 'FAILED',
}
const createdAt = '2026-11-23T10:00:00.000Z'

const says = (status: number, error: string, more: object = {}): VendorReply => ({ status, json: { error, ...more } })
const issue = (field: string, message: string) =>
  says(400, 'Validation of body failed', {
    issues: [{ code: 'custom', path: [field], message }],
    docUrl: 'https://docs.dev.runwayml.com/api/',
  })

export const playedRunway: PlayedVendor = {
  name: 'runway',
  id: (n) => `497f6eca-6276-4993-bfeb-${String(n).padStart(12, '0')}`,
  submits: ({ method, path }) => method === 'POST' && kindOf(path) !== undefined,
  refuse: (mood) =>
    mood === 'refuses'
      ? issue(
          'promptImage',
          'Failed to fetch asset. The URL may be incorrect or the server hosting the asset may be down.',
        )
      : mood === 'overloaded'
        ? says(429, 'You have reached the daily task limit for this model.')
        : says(503, 'Service unavailable'),
  answer(request, shelf) {
    if (request.path.startsWith('/files/')) return fileReply(request)
    if (!request.path.startsWith('/v1/')) return undefined
    if (!keyOf(request)) return says(401, 'The API key you provided is not valid.')
    if (request.headers['x-runway-version'] !== '2024-11-06')
      return says(400, 'You must specify the API version via X-Runway-Version.')
    const kind = kindOf(request.path)
    if (kind && request.method === 'POST')
      return refusal(kind, request.json) ?? { json: { id: shelf.take(request).id } }
    const [, id] = /^\/v1\/tasks\/([^/]+)$/.exec(request.path) ?? []
    if (!id) return undefined
    if (request.method === 'DELETE') return shelf.cancel(id) ? { status: 204, bytes: new Uint8Array() } : unknown()
    const stage = shelf.look(id)
    return stage ? { json: told(shelf.url, stage) } : unknown()
  },
}

const unknown = () => says(404, 'Could not find a task with that ID.')

function kindOf(path: string): string | undefined {
  const [, kind = ''] = /^\/v1\/([a-z_]+)$/.exec(path) ?? []
  return kind in PATHS ? kind : undefined
}

function refusal(kind: string, asked: Record<string, unknown>): VendorReply | undefined {
  const models = PATHS[kind]!
  const model = models[String(asked.model)]
  if (!model) return issue('model', `Invalid discriminator value. Expected ${Object.keys(models).join(' | ')}`)
  const lacking = [...model.needs, ...(model.pictures ? ['promptImage'] : [])].find((name) => !asked[name])
  if (lacking) return issue(lacking, 'Required')
  const { promptText = '', duration, ratio, audio, seed } = asked
  if (String(promptText).length > (asked.model === 'seedance2' ? 3500 : 1000))
    return issue('promptText', 'String must contain at most 1000 character(s)')
  if (duration !== undefined && !(typeof duration === 'number' && model.seconds.includes(duration)))
    return issue('duration', `Invalid input. Expected one of ${model.seconds.join(', ')}`)
  if (ratio !== undefined && !model.ratios.includes(String(ratio)))
    return issue('ratio', `Invalid enum value. Expected ${model.ratios.map((one) => `'${one}'`).join(' | ')}`)
  if (audio !== undefined && !(model.audio && typeof audio === 'boolean')) return issue('audio', 'Unrecognized key')
  if (seed !== undefined && !(Number.isInteger(seed) && Number(seed) >= 0 && Number(seed) <= 4_294_967_295))
    return issue('seed', 'Number must be less than or equal to 4294967295')
  return model.pictures ? pictures(model.pictures, asked.promptImage) : undefined
}

function pictures(takes: string, promptImage: unknown): VendorReply | undefined {
  const all = typeof promptImage === 'string' ? [{ uri: promptImage, position: 'first' }] : promptImage
  if (!Array.isArray(all)) return issue('promptImage', 'Invalid input')
  for (const { uri, position } of all as { uri?: unknown; position?: unknown }[]) {
    if (!/^(?:https:|data:image\/|runway:)/.test(String(uri)))
      return issue('promptImage', 'Only HTTPS URLs are allowed.')
    const fits = takes === 'all' ? true : takes.split(', ').includes(String(position))
    if (!fits) return issue('promptImage', `Invalid enum value. Expected ${takes}`)
  }
  return undefined
}

/** Addresses are good for 24 to 48 hours: a token in them says it. */
const claims = (): string =>
  Buffer.from(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 86_400 })).toString('base64url')

function told(url: string, stage: Stage): Record<string, unknown> {
  const task = { id: stage.id, createdAt }
  if (stage.is === 'failed')
    return stage.why === 'cancelled'
      ? { ...task, status: 'CANCELLED' }
      : { ...task, status: 'FAILED', failure: stage.why, failureCode: 'SAFETY.INPUT.TEXT' }
  return {
    ...task,
    status: WORDS[stage.is],
    ...(stage.is === 'running' ? { progress: stage.progress / 100 } : {}),
    ...(stage.is === 'done' ? { output: [`${url}/files/${stage.id}-${stage.edition}.mp4?_jwt=h.${claims()}.s`] } : {}),
  }
}
