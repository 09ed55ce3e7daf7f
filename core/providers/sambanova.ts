// SambaNova: open models, fast.
import { createOpenaiEndpoints } from './openai-endpoints.ts'
import { provider } from './provider.ts'

export const sambanova = provider({
  type: 1012,
  id: 'sambanova',
  name: 'SambaNova',
  base_url: 'https://api.sambanova.ai',
  thoughts: 'refuses',
  ...createOpenaiEndpoints('chat', 'embeddings'),
  models_path: '/v1/models',
  env: 'SAMBANOVA_API_KEY',
})
