// Google Vertex AI: Gemini and Claude in their own formats; the open models that Google serves in OpenAI's.
import { z } from 'zod'
import { cleanBaseUrl } from '../contract/url.ts'
import type { ChannelForProvider } from './channel-for-provider.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { parseClaudeVersion } from '../dialects/anthropic-messages/thinking.ts'
import { geminiGenerate } from '../dialects/gemini-generate/index.ts'
import { geminiImageFormat, imagenPredictFormat } from '../dialects/media/google-images.ts'
import { joinParts, toJsonBytes } from '../dialects/json/json-bytes.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { vertexEmbeddingFormat } from '../dialects/embeddings/other-embeddings.ts'
import { setTopFields } from '../dialects/requests/patch.ts'
import { vertexVeoTasks } from '../dialects/tasks/veo.ts'
import { fail, words } from '../errors.ts'
import type { UpstreamRequest } from '../ports/upstream.ts'
import { adaptClaude, adaptCountRequest, anthropic } from './anthropic.ts'
import { toDatedClaude } from './claude-names.ts'
import { vertexCountWords, vertexWords } from './claude-words.data.ts'
import { adaptGemini, gemini, isImagen } from './gemini.ts'
import { names, provider, type UpstreamEndpoint } from './provider.ts'
import { parseJson } from '../dialects/json/json-value.ts'

const REGIONAL = 'https://{region}-aiplatform.googleapis.com'

export const vertex = provider({
  type: 41,
  id: 'vertex',
  name: 'Vertex AI',
  base_url: REGIONAL,
  thoughts: 'by_model',
  models: [
    ...gemini.models,
    ...anthropic.models,
    ...names('veo-3.1-generate-001, veo-3.1-fast-generate-001, veo-3.1-lite-generate-001'),
  ],
  authorize: async ({ key }, { proxy, guarded }, { signer }) => ({
    authorization: `Bearer ${await signer.google(key, { proxy, guarded })}`,
  }),
  chat: [
    {
      dialect: anthropicMessages,
      serves: (model) => parseClaudeVersion(model) !== undefined,
      path: ({ base, model, head, channel }) => {
        const action = head.stream ? 'streamRawPredict' : 'rawPredict'
        return `${buildBaseUrl(base, head.model, channel)}/publishers/anthropic/models/${inPath(model)}:${action}`
      },
      adapt: asClaude(adaptClaude),
      takes: vertexWords,
      adjust: (request) => asPrediction(request, { model: null }),
      inlines: ['image', 'file'],
    },
    {
      dialect: geminiGenerate,
      serves: (model) => model.startsWith('gemini'),
      path: ({ base, model, head, channel }) => {
        const action = head.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
        return `${buildBaseUrl(base, head.model, channel)}/publishers/google/models/${inPath(model)}:${action}`
      },
      adapt: adaptGemini,
      adjust: withoutCallIds,
    },
    {
      dialect: openaiChat,
      serves: (model) => parseClaudeVersion(model) === undefined && !model.startsWith('gemini'),
      path: ({ base, head, channel }) =>
        `${buildBaseUrl(base, head.model, channel)}/endpoints/openapi/chat/completions`,
      adapt: (model) => ({ model: model.includes('/') ? model : `google/${model}` }),
    },
  ],
  embeddings: [{ dialect: vertexEmbeddingFormat, path: googleModel('predict') }],
  images: [
    { dialect: imagenPredictFormat, path: googleModel('predict'), serves: isImagen },
    { dialect: geminiImageFormat, path: googleModel('generateContent'), adapt: adaptGemini },
  ],
  count: {
    dialect: anthropicMessages,
    serves: (model) => parseClaudeVersion(model) !== undefined,
    path: ({ base, head, channel }) =>
      `${buildBaseUrl(base, head.model, channel)}/publishers/anthropic/models/count-tokens:rawPredict`,
    adapt: asClaude(adaptCountRequest),
    takes: vertexCountWords,
    adjust: asPrediction,
  },
  tasks: [
    {
      dialect: vertexVeoTasks,
      serves: (model) => model.startsWith('veo-'),
      at: (path, channel) =>
        buildBaseUrl(cleanBaseUrl(channel.base_url || REGIONAL), /\/models\/([^/:]+)/.exec(path)?.[1] ?? '', channel) +
        path,
    },
  ],
  files: ['https://storage.googleapis.com'],
  check: ({ other }) => void getRegion(other, ''),
  key_has_lines: true,
  hasKeyForm: (key) => ServiceAccount.safeParse(parseJson(key)).success,
  key_has_address: true,
  fields: {
    key: {
      label: words('Key of a service account (JSON)'),
      placeholder: '{"type":"service_account", …}',
      required: true,
    },
    other: {
      label: words('Region'),
      help: words('One for all models, or by model as a JSON object with "default"'),
      placeholder: 'global, or {"default":"us-central1"}',
      required: true,
    },
  },
})

const Account = z.object({ project_id: z.string() })
/** The further members that the key needs to be exchanged for a token. */
const ServiceAccount = Account.extend({ client_email: z.string(), private_key: z.string() })

/** Project and region as an address. @throws GatewayError channel.key_format, channel.other */
function buildBaseUrl(base: string, model: string, { key, other }: Pick<ChannelForProvider, 'key' | 'other'>): string {
  const account = Account.safeParse(parseJson(key))
  const project = account.success ? account.data.project_id : fail('channel.key_format')
  const region = getRegion(other, model)
  const host = base === REGIONAL ? getHost(region) : base.replace('{region}', region)
  return `${host}/v1/projects/${project}/locations/${region}`
}

/** Returns the address of an action of Google's own model. */
function googleModel(action: string): UpstreamEndpoint['path'] {
  return ({ base, model, head, channel }) =>
    `${buildBaseUrl(base, head.model, channel)}/publishers/google/models/${inPath(model)}:${action}`
}

/**
 * Returns the host of a region. The global one, and the two groups that keep data inside, have hosts of another form.
 */
function getHost(region: string): string {
  if (region === 'global') return 'https://aiplatform.googleapis.com'
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com`
  return REGIONAL.replace('{region}', region)
}

/** Returns the region: one for all models, or from a table by the requested model. */
function getRegion(other: string, model: string): string {
  const table = z.record(z.string(), z.string()).safeParse(parseJson(other))
  const region = table.success ? (table.data[model] ?? table.data.default) : other.trim()
  return region && /^[a-z0-9-]+$/.test(region) ? region : fail('channel.other', { field: words('Region') })
}

/** Applies Anthropic's settings to a request, with the model's name as Vertex spells it. */
function asClaude(adapt: typeof adaptClaude): UpstreamEndpoint['adapt'] {
  return (model, head, settings) => {
    const adapted = adapt(model, head, settings)
    return { ...adapted, model: claudeId(adapted.model ?? model) }
  }
}

/** `claude-haiku-4-5` as `claude-haiku-4-5@20251001`. */
const claudeId = (model: string): string =>
  toDatedClaude(model)
    .replace(/^claude-3-5-sonnet-20241022$/, 'claude-3-5-sonnet-v2-20241022')
    .replace(/-(\d{8})$/, '@$1')

const inPath = (model: string): string => encodeURIComponent(model).replaceAll('%40', '@')

/**
 * Converts a request: a field has the version of the format, and the address has the model. `more` is added to the
 * body.
 */
function asPrediction(request: UpstreamRequest, more: Record<string, unknown> = {}): UpstreamRequest {
  const { 'anthropic-version': _, ...headers } = request.headers
  const body = request.body && setTopFields(request.body, { ...more, anthropic_version: 'vertex-2023-10-16' })
  return { ...request, headers, ...(body ? { body } : {}) }
}

/** Vertex knows function calls by their order and refuses the ids that Gemini's own endpoint takes. */
function withoutCallIds(request: UpstreamRequest): UpstreamRequest {
  const text = new TextDecoder().decode(joinParts(request.body ?? []))
  if (!/"function_?(call|response)"/i.test(text) || !text.includes('"id"')) return request
  const plain: unknown = JSON.parse(text, (key, value: unknown) =>
    /^function_?(call|response)$/i.test(key) && typeof value === 'object' ? { ...value, id: undefined } : value,
  )
  return { ...request, body: toJsonBytes(plain) }
}
