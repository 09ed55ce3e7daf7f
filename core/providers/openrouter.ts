// OpenRouter: many vendors behind one address; it asks callers to name themselves.
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiCompletions } from '../dialects/openai-completions/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { rerank } from '../dialects/rerank.ts'
import { adaptClaude } from './anthropic.ts'
import { openrouterBalance } from './balance.ts'
import { bearer, provider } from './provider.ts'

export const openrouter = provider({
  type: 20,
  id: 'openrouter',
  name: 'OpenRouter',
  base_url: 'https://openrouter.ai/api',
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
    { dialect: openaiChat, path: '/v1/chat/completions' },
    { dialect: openaiResponses, path: '/v1/responses' },
    { dialect: openaiCompletions, path: '/v1/completions' },
    { dialect: anthropicMessages, path: '/v1/messages', adapt: adaptClaude },
  ],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  rerank: [{ dialect: rerank, path: '/v1/rerank' }],
  models_path: '/v1/models',
  balance: openrouterBalance,
  authorize: (channel) => ({
    ...bearer(channel),
    'http-referer': 'Weir',
    'x-title': 'Weir',
  }),
  fields: { key: { label: 'API key', placeholder: 'sk-or-...', required: true } },
})
