// Ollama: models on a local machine; its compatible endpoints take no key. Anthropic's format next to OpenAI's:
// https://docs.ollama.com/api/anthropic-compatibility.
import { words } from '../errors.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { adaptClaude } from './anthropic.ts'
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { provider } from './provider.ts'

export const ollama = provider({
  type: 4,
  id: 'ollama',
  name: 'Ollama',
  base_url: 'http://localhost:11434',
  thoughts: 'by_model',
  models: [],
  chat: [
    createOpenaiEndpoint('chat', { limit: 'max_tokens', inlines: ['image', 'file'] }),
    createOpenaiEndpoint('responses', { inlines: ['image', 'file'] }),
    createOpenaiEndpoint('completions'),
    { dialect: anthropicMessages, path: '/v1/messages', adapt: adaptClaude, inlines: ['image', 'file'] },
  ],
  ...createOpenaiEndpoints('embeddings'),
  models_path: '/v1/models',
  needs_key: false,
  fields: { base_url: { label: words('Address'), placeholder: 'http://localhost:11434' } },
})
