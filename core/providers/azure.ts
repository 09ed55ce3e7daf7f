// Azure OpenAI: a dedicated resource, in which a model's name is the name of its deployment. Claude uses Anthropic's
// format.
import type { ChannelForProvider } from './channel-for-provider.ts'
import { words } from '../errors.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { parseClaudeVersion } from '../dialects/anthropic-messages/thinking.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiCompactionTrigger } from '../dialects/compaction/openai-compaction-trigger.ts'
import { openaiCompaction } from '../dialects/compaction/openai-compaction.ts'
import { openaiCompletions } from '../dialects/openai-completions.ts'
import { openaiSpeech, openaiTranscriptions, openaiTranslations } from '../dialects/media/openai-audio.ts'
import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.ts'
import { openaiImageEdits, openaiImages } from '../dialects/media/openai-images.ts'
import { openaiRealtime } from '../dialects/openai-realtime.ts'
import { deferredResponses } from '../dialects/openai-responses/response.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { adaptClaude, adaptCountRequest } from './anthropic.ts'
import { foundryWords } from './claude-words.data.ts'
import { adaptEffort } from './effort-names.ts'
import { UNKNOWN_TRIGGER_ERRORS } from './openai-endpoints.ts'
import { servesChatEndpoint, servesCompletionsEndpoint, openai, prefersResponses } from './openai.ts'
import { API_KEY_LABEL, provider, type UpstreamEndpoint, type EndpointCall } from './provider.ts'

export const azure = provider({
  type: 3,
  id: 'azure',
  name: 'Azure OpenAI',
  base_url: '',
  thoughts: 'by_model',
  models: openai.models,
  env: 'AZURE_OPENAI_API_KEY',
  chat: [
    {
      dialect: anthropicMessages,
      serves: (model) => parseClaudeVersion(model) !== undefined,
      path: ({ base }) => `${getRoot(base)}/anthropic/v1/messages`,
      adapt: adaptClaude,
      takes: foundryWords,
      authorize: asAnthropic,
    },
    {
      dialect: openaiChat,
      path: at('chat/completions'),
      serves: (model) => servesChatEndpoint(model) && parseClaudeVersion(model) === undefined,
      yields: prefersResponses,
      adapt: adaptEffort,
    },
    {
      dialect: openaiResponses,
      path: atResponses,
      deferred: () => deferredResponses,
      serves: (model) => parseClaudeVersion(model) === undefined,
      adapt: adaptEffort,
    },
    {
      dialect: openaiCompletions,
      path: at('completions'),
      serves: (model) => servesCompletionsEndpoint(model) && parseClaudeVersion(model) === undefined,
    },
    {
      dialect: openaiCompaction,
      path: atCompaction,
      optional: true,
      serves: (model) => parseClaudeVersion(model) === undefined,
    },
    {
      dialect: openaiCompactionTrigger,
      path: atResponses,
      ...UNKNOWN_TRIGGER_ERRORS,
      serves: (model) => parseClaudeVersion(model) === undefined,
      adapt: adaptEffort,
    },
  ],
  embeddings: [{ dialect: openaiEmbeddings, path: at('embeddings') }],
  images: [
    { dialect: openaiImages, path: at('images/generations') },
    { dialect: openaiImageEdits, path: at('images/edits') },
  ],
  speech: [{ dialect: openaiSpeech, path: at('audio/speech') }],
  transcription: [
    { dialect: openaiTranscriptions, path: at('audio/transcriptions') },
    { dialect: openaiTranslations, path: at('audio/translations') },
  ],
  realtime: [{ dialect: openaiRealtime, path: atRealtime }],
  count: {
    dialect: anthropicMessages,
    serves: (model) => parseClaudeVersion(model) !== undefined,
    path: ({ base }) => `${getRoot(base)}/anthropic/v1/messages/count_tokens`,
    adapt: adaptCountRequest,
    takes: foundryWords,
    authorize: asAnthropic,
  },
  models_path: '/openai/v1/models',
  authorize: ({ key }) => ({ 'api-key': key }),
  fields: {
    key: { label: API_KEY_LABEL, required: true },
    base_url: {
      label: words('Endpoint'),
      placeholder: 'https://my-resource.openai.azure.com',
      required: true,
    },
    other: {
      label: words('API version'),
      help: words('Empty for the current one (v1)'),
      placeholder: '2024-12-01-preview',
    },
  },
})

function asAnthropic({ key }: Pick<ChannelForProvider, 'key'>) {
  return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
}

/** The resource, however much of an address was pasted. */
const getRoot = (base: string): string => base.replace(/\/(openai|anthropic)(\/v1)?$/, '')

const isGateway = (base: string): boolean => base.startsWith('https://gateway.ai.cloudflare.com/')

/** For gateways that speak only the older kind. */
const DATED_VERSION = '2024-12-01-preview'

/**
 * Returns the address of a task. If the channel names a dated version, the older kind with the deployment in the path
 * is used; else the versionless one, which reads it from the body. Cloudflare's gateway replaces the prefix of the
 * older kind.
 */
function at(task: string): UpstreamEndpoint['path'] {
  return ({ base, model, channel: { other } }) => {
    const version = other.trim()
    if (!isGateway(base) && !isDated(version)) return `${getRoot(base)}/openai/v1/${task}`
    const deployments = isGateway(base) ? base : `${getRoot(base)}/openai/deployments`
    return `${deployments}/${encodeURIComponent(model)}/${task}?${query(version || DATED_VERSION)}`
  }
}

/** The first version with Responses. */
const RESPONSES_SINCE = '2025-03-01-preview'

/** Responses never had the deployment in the path. */
function atResponses({ base, channel }: EndpointCall): string {
  const version = channel.other.trim()
  // Versions from before there were any know no such address; every resource has the versionless one.
  const dated = isDated(version) && version >= RESPONSES_SINCE
  return dated ? `${getRoot(base)}/openai/responses?${query(version)}` : `${getRoot(base)}/openai/v1/responses`
}

function atCompaction(call: EndpointCall): string {
  return atResponses(call).replace('/responses', '/responses/compact')
}

/** A dated version names the deployment in the query. */
function atRealtime({ base, model, channel }: EndpointCall): string {
  const version = channel.other.trim()
  if (!isDated(version)) return `${getRoot(base)}/openai/v1/realtime`
  return `${getRoot(base)}/openai/realtime?${query(version)}&deployment=${encodeURIComponent(model)}`
}

const isDated = (version: string): boolean => /^\d{4}-/.test(version)

const query = (version: string): string => new URLSearchParams({ 'api-version': version }).toString()
