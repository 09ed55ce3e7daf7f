// Mistral: close to the format; its reasoning models answer in parts.
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { names, provider } from './provider.ts'

export const mistral = provider({
  type: 42,
  id: 'mistral',
  name: 'Mistral',
  base_url: 'https://api.mistral.ai',
  thoughts: 'refuses',
  models: names(`
    mistral-large-latest, mistral-large-2512, mistral-medium-latest, mistral-medium-2604, mistral-small-latest,
    mistral-small-2603, ministral-8b-latest, ministral-3b-latest, magistral-medium-latest,
    magistral-small-latest, devstral-latest, codestral-latest, pixtral-large-latest, open-mistral-nemo
  `),
  env: 'MISTRAL_API_KEY',
  chat: [createOpenaiEndpoint('chat', { limit: 'max_tokens' })],
  ...createOpenaiEndpoints('embeddings', 'moderations', 'transcriptions'),
  models_path: '/v1/models',
})
