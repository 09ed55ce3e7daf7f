// Vercel AI Gateway: many vendors behind one address, also in Anthropic's format
// (https://vercel.com/docs/ai-gateway/sdks-and-apis: anthropic-messages-api, responses).
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { adaptClaude } from './anthropic.ts'
import { provider } from './provider.ts'

export const vercel = provider({
  type: 1006,
  id: 'vercel',
  name: 'Vercel AI Gateway',
  base_url: 'https://ai-gateway.vercel.sh',
  models: [],
  chat: [
    { dialect: openaiChat, path: '/v1/chat/completions' },
    { dialect: openaiResponses, path: '/v1/responses' },
    { dialect: anthropicMessages, path: '/v1/messages', adapt: adaptClaude },
  ],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  models_path: '/v1/models',
  env: 'AI_GATEWAY_API_KEY',
})
