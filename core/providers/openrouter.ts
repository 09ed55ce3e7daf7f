// OpenRouter: many vendors behind one address; it asks callers to name themselves.
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { adaptClaude } from './anthropic.ts'
import { openrouterBalance } from './balance.ts'
import { openaiDoor, openaiDoors } from './openai-doors.ts'
import { API_KEY, bearer, provider } from './provider.ts'

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
    openaiDoor('chat'),
    openaiDoor('responses'),
    openaiDoor('completions'),
    { dialect: anthropicMessages, path: '/v1/messages', adapt: adaptClaude },
  ],
  ...openaiDoors('embeddings', 'rerank'),
  models_path: '/v1/models',
  balance: openrouterBalance,
  authorize: (channel) => ({
    ...bearer(channel),
    'http-referer': 'Weir',
    'x-title': 'Weir',
  }),
  fields: { key: { label: API_KEY, placeholder: 'sk-or-...', required: true } },
})
