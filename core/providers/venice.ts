// Venice: open models.
import { createOpenaiEndpoints } from './openai-endpoints.ts'
import { provider } from './provider.ts'

export const venice = provider({
  type: 1007,
  id: 'venice',
  name: 'Venice',
  base_url: 'https://api.venice.ai/api',
  thoughts: 'refuses',
  ...createOpenaiEndpoints('chat', 'embeddings'),
  models_path: '/v1/models',
  env: 'VENICE_API_KEY',
})
