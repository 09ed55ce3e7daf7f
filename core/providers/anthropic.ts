// Anthropic Claude, and providers with its format at the same path.
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import {
  getDefaultTokenLimit,
  parseClaudeVersion,
  usesReasoningEffort,
} from '../dialects/anthropic-messages/thinking.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import type { Settings } from '../settings/index.ts'
import { API_KEY_LABEL, names, provider } from './provider.ts'
import type { RequestAdaptation, AuthorizeRequest, UpstreamEndpoint } from './provider.ts'
import { getOwnMember } from '../settings/stored-price.ts'

/** Minimum limit for `-thinking`: room for the smallest budget and an answer. Unit: tokens. */
const LEAST_LIMIT = 1280
/**
 * Limit that `-thinking` takes its share of if the request has none, since longer reasoning is for batches. Unit:
 * tokens.
 */
const UNSAID_LIMIT = 40_000

const authorize: AuthorizeRequest = ({ key }) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' })

/** Returns the endpoint of a provider that also offers this format. Requests in this format pass through unchanged. */
export const createAnthropicEndpoint = (path: string): UpstreamEndpoint => ({
  dialect: anthropicMessages,
  path,
  adapt: adaptClaude,
  authorize,
})

export const anthropic = provider({
  type: 14,
  id: 'anthropic',
  name: 'Anthropic Claude',
  base_url: 'https://api.anthropic.com',
  models: names(`
    claude-opus-5-5, claude-opus-5, claude-sonnet-5-5, claude-sonnet-5, claude-haiku-5-5, claude-fable-5-1,
    claude-opus-4-8, claude-opus-4-6, claude-sonnet-4-6, claude-sonnet-4-5, claude-haiku-4-5
  `),
  env: 'ANTHROPIC_API_KEY',
  chat: [{ dialect: anthropicMessages, path: '/v1/messages', adapt: adaptClaude }],
  count: { dialect: anthropicMessages, path: '/v1/messages/count_tokens', adapt: adaptCountRequest },
  // The list comes in pages; this is the largest.
  models_path: '/v1/models?limit=1000',
  authorize,
  retries_bad_requests: true,
  fields: { key: { label: API_KEY_LABEL, placeholder: 'sk-ant-...', required: true } },
})

/** Returns the changes to a request by the operator's `claude.*` settings and the suffix of a model's name. */
export function adaptClaude(model: string, head: RequestHead, settings: Settings): RequestAdaptation {
  const limits = settings['claude.default_max_tokens']
  const requestedLimit =
    head.max_tokens ?? getOwnMember(limits, head.model) ?? getOwnMember(limits, model) ?? limits.default
  const headers = getOwnMember(settings['claude.model_headers_settings'], head.model)
  return {
    ...byName(model, head, requestedLimit, settings),
    ...(headers ? { headers: joined(headers) } : {}),
  }
}

/** Adapts a request for token counting, which accepts no output limit and does no reasoning. */
export function adaptCountRequest(model: string, head: RequestHead, settings: Settings): RequestAdaptation {
  const { implied: _, ...rest } = adaptClaude(model, head, settings)
  return rest
}

const joined = (headers: Readonly<Record<string, readonly string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, values]) => [name.toLowerCase(), values.join(',')]))

/**
 * `-thinking`, and the names of efforts on models that take one. Other makers' names may really end so.
 * @param requestedLimit the limit that the caller or the operator names, in tokens
 */
function byName(
  model: string,
  head: RequestHead,
  requestedLimit: number | undefined,
  settings: Settings,
): RequestAdaptation {
  const named = /^(.+)-(thinking|low|medium|high|xhigh|max)$/.exec(model)
  const [, plain = model, word] = named ?? []
  if (!settings['claude.thinking_adapter_enabled'] || parseClaudeVersion(model) === undefined || !word) {
    return {
      implied: {
        max_tokens: requestedLimit ?? getDefaultTokenLimit(model, head.prompt_estimate, settings['models.facts']),
      },
    }
  }
  const max_tokens = requestedLimit ?? getDefaultTokenLimit(plain, head.prompt_estimate, settings['models.facts'])
  if (usesReasoningEffort(plain)) {
    return { model: plain, implied: { max_tokens, reasoning_effort: word === 'thinking' ? 'high' : word } }
  }
  if (word !== 'thinking') return { implied: { max_tokens } }
  const share = settings['claude.thinking_adapter_budget_tokens_percentage']
  const limit = Math.max(requestedLimit ?? Math.min(max_tokens, UNSAID_LIMIT), LEAST_LIMIT)
  return { model: plain, implied: { max_tokens, reasoning_budget: Math.floor(limit * share) } }
}
