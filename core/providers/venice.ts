// Venice: open models.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { provider } from './provider.ts'

export const venice = provider({
  type: 1007,
  id: 'venice',
  name: 'Venice',
  base_url: 'https://api.venice.ai/api',
  models: [],
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions' }],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  models_path: '/v1/models',
  env: 'VENICE_API_KEY',
})
