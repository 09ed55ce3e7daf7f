// Fireworks AI: open models; their names begin with accounts/fireworks/models/. Anthropic's format as at
// https://docs.fireworks.ai/tools-sdks/anthropic-compatibility.
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiCompletions } from '../dialects/openai-completions/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { rerank } from '../dialects/rerank.ts'
import { provider } from './provider.ts'

export const fireworks = provider({
  type: 1003,
  id: 'fireworks',
  name: 'Fireworks AI',
  base_url: 'https://api.fireworks.ai/inference',
  models: [],
  env: 'FIREWORKS_API_KEY',
  chat: [
    { dialect: openaiChat, path: '/v1/chat/completions' },
    { dialect: openaiResponses, path: '/v1/responses' },
    { dialect: openaiCompletions, path: '/v1/completions' },
    { dialect: anthropicMessages, path: '/v1/messages' },
  ],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  rerank: [{ dialect: rerank, path: '/v1/rerank' }],
  models_path: '/v1/models',
  fields: { key: { label: 'API key', placeholder: 'fw_...', required: true } },
})
