// Cohere: its endpoint in OpenAI's format.
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, names, provider } from './provider.ts'

export const cohere = provider({
  type: 34,
  id: 'cohere',
  name: 'Cohere',
  base_url: 'https://api.cohere.ai',
  thoughts: 'refuses',
  models: names(`
    command-a-plus-05-2026, command-a-03-2025, command-a-reasoning-08-2025, command-a-vision-07-2025,
    command-r-plus-08-2024, command-r-08-2024, command-r7b-12-2024, rerank-v3.5, embed-v4.0
  `),
  env: 'COHERE_API_KEY',
  chat: [createOpenaiEndpoint('chat', { at: '/compatibility/v1', limit: 'max_tokens' })],
  ...createOpenaiEndpoints('embeddings', { at: '/compatibility/v1' }),
  ...createOpenaiEndpoints('rerank', { at: '/v2' }),
  models_path: '/v1/models?endpoint=chat&page_size=1000',
  fields: { key: { label: API_KEY_LABEL, required: true } },
})
