// OpenAI: the format of most others; also the right type for any compatible gateway.
import { openaiVideosTasks } from '../dialects/tasks/openai-videos.ts'
import { words } from '../errors.ts'
import { findModelFamily } from '../dialects/reasoning/model-fit.ts'
import { deferredResponses } from '../dialects/openai-responses/response.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiRealtime } from '../dialects/openai-realtime.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { fetchOpenaiBalance } from './balance.ts'
import { adaptEffort, parseNamedEffort } from './effort-names.ts'
import {
  NON_CHAT_OPERATIONS,
  createOpenaiEndpoint,
  createOpenaiEndpoints,
  UNKNOWN_TRIGGER_ERRORS,
} from './openai-endpoints.ts'
import { API_KEY_LABEL, bearer, names, provider, type UpstreamEndpoint } from './provider.ts'

/** Models that are served at /v1/responses alone. */
const RESPONSES_ONLY = /^(gpt|o\d|codex|computer)\b.*(codex|-pro\b|deep-research|computer-use)|^codex-/
/** Models that OpenAI refuses at /v1/completions: those asked there are completed by other servers, or chat for it. */
const CHATS = /^(gpt-4|gpt-[5-9]|chatgpt-|o\d|codex-|gpt-3\.5-turbo(?!-instruct))/

export const servesChatEndpoint = (model: string): boolean => !RESPONSES_ONLY.test(model)

/**
 * Returns true for requests that newer models refuse at the chat endpoint and accept as Responses: tools with
 * reasoning, and a search unless the model is made for it. Translated requests also use Responses, which keeps the
 * reasoning for the next turn.
 */
export const prefersResponses: NonNullable<UpstreamEndpoint['yields']> = (requested, dialect, head) => {
  if (dialect === openaiChat && head.calls !== true && !head.searches) return false
  const { model = requested, reasoning_effort } = parseNamedEffort(requested) ?? {}
  const { tools, search, effort, efforts } = findModelFamily(model, openaiChat.name, head.model)
  if (head.searches && search === 'responses') return true
  if (!tools) return false
  if (dialect !== openaiChat) return true
  const isReasoningOff = (head.effort ?? reasoning_effort ?? effort) === 'none' && efforts?.includes('none') === true
  return head.calls === true && !isReasoningOff
}

/** Is the model served at the older completions endpoint? */
export const servesCompletionsEndpoint = (model: string): boolean => !CHATS.test(model)

export const openai = provider({
  type: 1,
  id: 'openai',
  name: 'OpenAI',
  base_url: 'https://api.openai.com',
  thoughts: 'by_model',
  models: names(`
    gpt-6.2-sol, gpt-6.2-astra, gpt-6.1-sol, gpt-6-sol, gpt-6-luna, gpt-5.6, gpt-5.5, gpt-5.4, gpt-5.4-mini,
    gpt-5.4-nano, gpt-5.2, gpt-5.1, gpt-5, gpt-5-mini, gpt-5-nano, gpt-4.1, gpt-4.1-mini, gpt-4.1-nano, gpt-4o,
    gpt-4o-mini, o3, o4-mini, o3-mini
  `),
  env: 'OPENAI_API_KEY',
  chat: [
    createOpenaiEndpoint('chat', { serves: servesChatEndpoint, yields: prefersResponses, adapt: adaptEffort }),
    // Others who speak the format may not know of the background.
    createOpenaiEndpoint('responses', {
      adapt: adaptEffort,
      deferred: ({ base_url }) =>
        /^(https:\/\/[^/]*\bopenai\.com\b.*)?$/.test(base_url) ? deferredResponses : undefined,
    }),
    createOpenaiEndpoint('completions', { serves: servesCompletionsEndpoint }),
    createOpenaiEndpoint('compaction', { optional: true }),
    createOpenaiEndpoint('compaction_trigger', { ...UNKNOWN_TRIGGER_ERRORS, adapt: adaptEffort }),
  ],
  // A channel of this type is often a compatible server that does not count.
  count: { dialect: openaiResponses, path: '/v1/responses/input_tokens', own_format_only: true },
  tasks: [{ dialect: openaiVideosTasks }],
  ...createOpenaiEndpoints(...NON_CHAT_OPERATIONS, 'moderations'),
  realtime: [{ dialect: openaiRealtime, path: '/v1/realtime' }],
  models_path: '/v1/models',
  balance: fetchOpenaiBalance,
  // Sent only where an operator names one: keys belong to an organization already.
  authorize: (channel) => ({
    ...bearer(channel),
    ...(channel.openai_organization ? { 'openai-organization': channel.openai_organization } : {}),
  }),
  fields: {
    key: { label: API_KEY_LABEL, placeholder: 'sk-...', required: true },
    openai_organization: { label: words('Organization'), placeholder: 'org-...' },
  },
})
