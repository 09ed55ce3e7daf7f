// Google Gemini by its native endpoints, which have the model's name in the address.
import { geminiGenerate } from '../dialects/gemini-generate/index.ts'
import { clampBudget } from '../dialects/gemini-generate/thinking.ts'
import { geminiBatchEmbedContents, geminiEmbedContent } from '../dialects/embeddings/gemini-embeddings.ts'
import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.ts'
import { geminiImageFormat, imagenPredictFormat } from '../dialects/media/google-images.ts'
import { veoFilmTasks } from '../dialects/tasks/veo.ts'
import type { ModelNameSuffixes } from '../dialects/model-request.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import type { Settings } from '../settings/index.ts'
import type { RequestAdaptation, UpstreamEndpoint, EndpointCall } from './provider.ts'
import { API_KEY_LABEL, bearer, names, provider } from './provider.ts'

/** Google reports these with status 400 or 403, identifiable only by their text. */
const BAD_ACCOUNT = ['api key not valid', 'has been suspended', 'api has not been used in project']

export const gemini = provider({
  type: 24,
  id: 'gemini',
  name: 'Google Gemini',
  base_url: 'https://generativelanguage.googleapis.com',
  models: names(`
    gemini-3.8-flash, gemini-3.7-flash, gemini-3.6-flash, gemini-3.5-flash, gemini-3.5-flash-lite,
    gemini-3.1-pro-preview, gemini-3-flash-preview, gemini-2.5-pro, gemini-2.5-flash, gemini-2.5-flash-lite,
    gemini-flash-latest, gemini-pro-latest, gemini-3.1-flash-image, gemini-3-pro-image, gemini-embedding-001
  `),
  env: 'GEMINI_API_KEY',
  // Not in the query, since addresses appear in logs.
  authorize: ({ key }) => ({ 'x-goog-api-key': key }),
  chat: [{ dialect: geminiGenerate, path: chatAddress, adapt: adaptGemini }],
  embeddings: [
    { dialect: geminiEmbedContent, path: at('embedContent') },
    { dialect: geminiBatchEmbedContents, path: at('batchEmbedContents') },
    // Google's own address for clients of OpenAI, who prove themselves as there.
    { dialect: openaiEmbeddings, path: compatible('embeddings'), authorize: bearer },
  ],
  images: [
    { dialect: imagenPredictFormat, path: at('predict'), serves: isImagen },
    { dialect: geminiImageFormat, path: at('generateContent'), adapt: adaptGemini },
  ],
  count: { dialect: geminiGenerate, path: at('countTokens'), adapt: adaptCount },
  tasks: [{ dialect: veoFilmTasks, serves: (model) => model.startsWith('veo-') }],
  models_path: '/v1beta/models?pageSize=1000',
  accountFailed: ({ status, message }) =>
    status === 403 || BAD_ACCOUNT.some((words) => message.toLowerCase().includes(words)),
  fields: { key: { label: API_KEY_LABEL, placeholder: 'AIza...', required: true } },
})

/** Is the model one of Google's that make images only? */
export function isImagen(model: string): boolean {
  return model.startsWith('imagen')
}

/** Streams use server-sent events, whatever the caller's format. */
function chatAddress(call: EndpointCall): string {
  return address(call, call.head.stream ? 'streamGenerateContent?alt=sse' : 'generateContent')
}

/** Returns a path with the model's name. */
function at(action: string): UpstreamEndpoint['path'] {
  return (call) => address(call, action)
}

function compatible(task: string): UpstreamEndpoint['path'] {
  return ({ base }) => `${base.replace(/(\/v\d\w*)?(\/openai)?$/, '')}/v1beta/openai/${task}`
}

function address({ base, model, settings }: EndpointCall, action: string): string {
  const version = named(settings['gemini.version_settings'], model) ?? 'v1beta'
  // People paste it with a version, up to the models, or as the address of the compatible endpoint.
  const plain = base.replace(/\/(openai|models)$/, '')
  const isWhole = plain !== base && base.endsWith('/models')
  const root = isWhole || /\/v\d\w*$/.test(plain) ? plain : `${plain}/${version}`
  return `${root}/models/${encodeURIComponent(model)}:${action}`
}

/** The value for a name, or the one for all others. */
const named = (table: Record<string, string>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : table.default

/** Google's categories of harm that a threshold can be set for. */
const categories = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
  'HARM_CATEGORY_CIVIC_INTEGRITY',
]

/** Counting thinks nothing. */
function adaptCount(requested: string, head: RequestHead, settings: Settings): RequestAdaptation {
  const { model } = adaptGemini(requested, head, settings)
  return model === undefined ? {} : { model }
}

/** Returns the changes to a request by the operator's `gemini.*` settings and the suffix of a model's name. */
export function adaptGemini(requested: string, head: RequestHead, settings: Settings): RequestAdaptation {
  const thresholds = settings['gemini.safety_settings']
  const safetySettings = categories.flatMap((category) => {
    const threshold = named(thresholds, category)
    return threshold ? [{ category, threshold }] : []
  })
  const drawing = settings['gemini.supported_imagine_models'].includes(requested)
  const { model, ...thinking } = settings['gemini.thinking_adapter_enabled']
    ? parseThinkingSuffix(requested, head, settings['gemini.thinking_adapter_budget_tokens_percentage'])
    : { model: requested }
  return {
    model,
    implied: { ...(drawing ? { modalities: ['text', 'image'] } : {}), ...thinking },
    defaults: { safetySettings },
  }
}

/** A larger share of the answer than this is not thought (the specification's limit). Unit: tokens. */
const MOST_BY_SHARE = 24_576

/** Parses the suffixes `-thinking`, `-thinking-BUDGET` and `-nothinking` of a model's name. */
function parseThinkingSuffix(
  requested: string,
  { max_tokens }: RequestHead,
  share: number,
): ModelNameSuffixes & { model: string } {
  const [, model, word, budget] = /^(gemini-.+)-(thinking|nothinking)(?:-(\d+))?$/.exec(requested) ?? []
  if (!model || (word === 'nothinking' && budget)) return { model: requested }
  if (word === 'nothinking') return { model, reasoning_budget: 0 }
  if (budget) return { model, reasoning_budget: clampBudget(model, Number(budget)) }
  if (!max_tokens) return { model, reasoning_budget: -1 }
  const tokens = Math.min(MOST_BY_SHARE, Math.floor(max_tokens * share))
  return { model, reasoning_budget: clampBudget(model, tokens) }
}

/** Google PaLM2: that service is discontinued. Its keys are Gemini's, so channels of this type use Gemini. */
export const palm = provider({
  ...gemini,
  type: 11,
  id: 'palm',
  name: 'Google PaLM2',
  models: [],
  retired: 'type 24 (Google Gemini)',
})
