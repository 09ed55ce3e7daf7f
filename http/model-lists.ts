// The models that a caller may use, with their known properties, in the format of the caller's dialect.
import type { CallerDialect } from '../core/dialects/dialect.ts'
import type { Operation } from '../core/models/operation.ts'
import { anthropicMessages, geminiGenerate, GatewayError, type ListedModel } from '../core/index.ts'

interface ModelListFormat {
  /** @throws GatewayError request.invalid */
  list(models: readonly ListedModel[], query: URLSearchParams): object
  one(model: ListedModel): object
}

/** Creation time if the release is unknown, in epoch seconds: the value that related gateways use. */
const CREATED = 1626777600

/** The type of a model by its operation, in the terms of gateways that report it. */
const types: Readonly<Record<Operation, string>> = {
  chat: 'chat',
  embeddings: 'embedding',
  moderation: 'moderation',
  rerank: 'rerank',
  images: 'image',
  speech: 'audio',
  transcription: 'transcribe',
  realtime: 'realtime',
  drawing: 'image',
  music: 'audio',
  video: 'video',
}

const openai: ModelListFormat = {
  list: (models) => ({ object: 'list', data: models.map(openai.one) }),
  one: ({ id, owned_by, kind, released, context, output, ended }) => ({
    id,
    object: 'model',
    created: released === '' ? CREATED : Date.parse(released) / 1000,
    owned_by,
    type: types[kind],
    // Gateways differ: OpenRouter and Together, Groq, vLLM; and for the output OpenRouter and Groq.
    context_length: context,
    context_window: context,
    max_model_len: context,
    max_completion_tokens: output,
    // The field of OpenAI for its models that end.
    shutdown_date: ended,
  }),
}

/** Default page sizes of Anthropic and Google. */
const ANTHROPIC_PAGE = 20
const GEMINI_PAGE = 50
const MAX_PAGE = 1000

const pageSize = (requested: string | null, fallback: number): number =>
  Math.min(Math.max(Math.trunc(Number(requested)) || fallback, 1), MAX_PAGE)

/** Anthropic's value for an unknown day: the beginning of the epoch. */
const UNKNOWN_DAY = '1970-01-01'
/** The families of Anthropic's models, as they are in the names. */
const LINE = /haiku|sonnet|opus|fable|mythos/

const anthropic: ModelListFormat = {
  list(models, query) {
    const size = pageSize(query.get('limit'), ANTHROPIC_PAGE)
    const before = findPlace('before_id', models, query)
    const after = findPlace('after_id', models, query)
    const from = before === undefined ? (after ?? -1) + 1 : Math.max(0, before - size)
    const to = before ?? from + size
    const data = models.slice(from, to).map(anthropic.one) as { id: string }[]
    const has_more = before === undefined ? to < models.length : from > 0
    return { data, has_more, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
  },
  one: ({ id, kind, released, context, output, ended }) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: `${released || UNKNOWN_DAY}T00:00:00Z`,
    max_input_tokens: context ?? null,
    max_tokens: output ?? null,
    capabilities: null,
    line: LINE.exec(id)?.[0] ?? null,
    lifecycle: ended === undefined ? 'active' : 'retired',
    deprecated_at: ended === undefined ? null : `${ended}T00:00:00Z`,
    retires_at: ended === undefined ? null : `${ended}T00:00:00Z`,
    kind: types[kind],
  }),
}

/** Finds the start of a page. An unknown name is an error, since the first page again would make clients loop. */
function findPlace(param: string, models: readonly ListedModel[], query: URLSearchParams): number | undefined {
  const named = query.get(param)
  if (!named) return undefined
  const place = models.findIndex(({ id }) => id === named)
  if (place < 0) throw new GatewayError('request.invalid', { param, reason: `${param} is no model of this list` })
  return place
}

const chats = ['generateContent', 'streamGenerateContent', 'countTokens']
/** Google's name for the first version of a model. */
const UNKNOWN_VERSION = '001'
const embeds = ['embedContent', 'batchEmbedContents']

const gemini: ModelListFormat = {
  list(models, query) {
    const from = pageStart(query.get('pageToken'))
    const to = from + pageSize(query.get('pageSize'), GEMINI_PAGE)
    return {
      models: models.slice(from, to).map(gemini.one),
      ...(to < models.length ? { nextPageToken: String(to) } : {}),
    }
  },
  one: ({ id, kind, released, context, output }) => ({
    name: `models/${id}`,
    version: released || UNKNOWN_VERSION,
    displayName: id,
    inputTokenLimit: context,
    outputTokenLimit: output,
    supportedGenerationMethods: kind === 'chat' ? chats : kind === 'embeddings' ? embeds : [],
  }),
}

function pageStart(token: string | null): number {
  if (!token) return 0
  if (/^\d{1,9}$/.test(token)) return Number(token)
  throw new GatewayError('request.invalid', { param: 'pageToken', reason: 'pageToken is none that was given' })
}

const shapes: Readonly<Record<string, ModelListFormat>> = {
  [anthropicMessages.name]: anthropic,
  [geminiGenerate.name]: gemini,
}

/** Returns the format of model lists of a dialect; by default OpenAI's. */
export const getModelShape = ({ name }: CallerDialect): ModelListFormat => shapes[name] ?? openai
