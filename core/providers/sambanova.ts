// SambaNova: open models, fast.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { provider } from './provider.ts'

export const sambanova = provider({
  type: 1012,
  id: 'sambanova',
  name: 'SambaNova',
  base_url: 'https://api.sambanova.ai',
  models: [],
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions' }],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  models_path: '/v1/models',
  env: 'SAMBANOVA_API_KEY',
})
