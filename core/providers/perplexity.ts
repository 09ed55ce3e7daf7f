// Perplexity: answers from the web; every chunk of its streams carries usage unasked.
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const perplexity = provider({
  type: 27,
  id: 'perplexity',
  name: 'Perplexity',
  base_url: 'https://api.perplexity.ai',
  thoughts: 'refuses',
  models: ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research'],
  env: 'PERPLEXITY_API_KEY',
  chat: [createOpenaiEndpoint('chat', { at: '', limit: 'max_tokens', stream_options: false })],
  ...createOpenaiEndpoints('embeddings'),
  fields: { key: { label: API_KEY_LABEL, placeholder: 'pplx-...', required: true } },
})
