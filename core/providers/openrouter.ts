// OpenRouter: many vendors at one address, which expects clients to identify themselves.
import { cleanBaseUrl } from '../contract/url.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import type { RequestHead } from '../dialects/requests/head.ts'
import type { Settings } from '../settings/index.ts'
import { adaptClaude } from './anthropic.ts'
import { fetchOpenrouterBalance } from './balance.ts'
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider, type RequestAdaptation, type UpstreamEndpoint } from './provider.ts'

/** OpenRouter shows these on its pages: the site that asks, and its name. */
function nameSite({ ServerAddress, SystemName }: Settings): Record<string, string> {
  // Header values are ASCII.
  const title = /^[ -~]+$/.test(SystemName) ? SystemName : 'Weir'
  if (ServerAddress === '') return { 'x-title': title }
  return { 'http-referer': cleanBaseUrl(new URL(ServerAddress).href), 'x-title': title }
}

const adapt: UpstreamEndpoint['adapt'] = (_, __, settings) => ({ headers: nameSite(settings) })

function adaptMessages(model: string, head: RequestHead, settings: Settings): RequestAdaptation {
  const adapted = adaptClaude(model, head, settings)
  return { ...adapted, headers: { ...nameSite(settings), ...adapted.headers } }
}

export const openrouter = provider({
  type: 20,
  id: 'openrouter',
  name: 'OpenRouter',
  base_url: 'https://openrouter.ai/api',
  thoughts: 'by_model',
  models: [
    'openai/gpt-oss-120b',
    'openai/gpt-oss-20b',
    'qwen/qwen3-32b',
    'moonshotai/kimi-k2-instruct-0905',
    'meta-llama/llama-4-maverick-17b-128e-instruct',
    'meta-llama/llama-4-scout-17b-16e-instruct',
  ],
  env: 'OPENROUTER_API_KEY',
  chat: [
    createOpenaiEndpoint('chat', { adapt }),
    createOpenaiEndpoint('responses', { adapt }),
    createOpenaiEndpoint('completions', { adapt }),
    { dialect: anthropicMessages, path: '/v1/messages', adapt: adaptMessages },
  ],
  ...createOpenaiEndpoints('embeddings', 'rerank', { adapt }),
  models_path: '/v1/models',
  balance: fetchOpenrouterBalance,
  fields: { key: { label: API_KEY_LABEL, placeholder: 'sk-or-...', required: true } },
})
