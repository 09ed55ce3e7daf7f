// Perplexity: answers from the web; every chunk of its streams carries usage unasked.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { provider } from './provider.ts'

export const perplexity = provider({
  type: 27,
  id: 'perplexity',
  name: 'Perplexity',
  base_url: 'https://api.perplexity.ai',
  models: ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research'],
  env: 'PERPLEXITY_API_KEY',
  chat: [{ dialect: openaiChat, path: '/chat/completions', limit: 'max_tokens', stream_options: false }],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  fields: { key: { label: 'API key', placeholder: 'pplx-...', required: true } },
})
