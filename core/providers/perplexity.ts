// Perplexity: answers from the web; every chunk of its streams carries usage unasked.
import { openaiDoor, openaiDoors } from './openai-doors.ts'
import { API_KEY, provider } from './provider.ts'

export const perplexity = provider({
  type: 27,
  id: 'perplexity',
  name: 'Perplexity',
  base_url: 'https://api.perplexity.ai',
  thoughts: 'refuses',
  models: ['sonar', 'sonar-pro', 'sonar-reasoning-pro', 'sonar-deep-research'],
  env: 'PERPLEXITY_API_KEY',
  chat: [openaiDoor('chat', { at: '', limit: 'max_tokens', stream_options: false })],
  ...openaiDoors('embeddings'),
  fields: { key: { label: API_KEY, placeholder: 'pplx-...', required: true } },
})
