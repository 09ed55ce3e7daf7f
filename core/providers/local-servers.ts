// Servers of models on your own machines. Their keys are optional.
import { words } from '../errors.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { adaptClaude } from './anthropic.ts'
import { createOpenaiEndpoint, createOpenaiEndpoints, NON_CHAT_OPERATIONS } from './openai-endpoints.ts'
import { provider } from './provider.ts'

/** Ollama, with the compatible endpoints of https://docs.ollama.com/api/anthropic-compatibility. */
export const ollama = provider({
  type: 4,
  id: 'ollama',
  name: 'Ollama',
  base_url: 'http://localhost:11434',
  thoughts: 'by_model',
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

/** LM Studio, with an endpoint in Anthropic's format: https://lmstudio.ai/docs/developer/anthropic-compat. */
export const lmStudio = provider({
  type: 1013,
  id: 'lm-studio',
  name: 'LM Studio',
  base_url: 'http://localhost:1234',
  thoughts: 'by_model',
  chat: [
    createOpenaiEndpoint('chat', { limit: 'max_tokens' }),
    createOpenaiEndpoint('responses'),
    createOpenaiEndpoint('completions'),
    { dialect: anthropicMessages, path: '/v1/messages' },
  ],
  ...createOpenaiEndpoints('embeddings'),
  models_path: '/v1/models',
  needs_key: false,
})

/** The server of llama.cpp, with the endpoints of `tools/server/README.md` in its repository. */
export const llamaCpp = provider({
  type: 1014,
  id: 'llama-cpp',
  name: 'llama.cpp',
  base_url: 'http://localhost:8080',
  thoughts: 'by_model',
  chat: [
    createOpenaiEndpoint('chat'),
    createOpenaiEndpoint('responses'),
    createOpenaiEndpoint('completions'),
    { dialect: anthropicMessages, path: '/v1/messages' },
  ],
  ...createOpenaiEndpoints('embeddings', 'rerank'),
  models_path: '/v1/models',
  needs_key: false,
})

export const xinference = provider({
  type: 47,
  id: 'xinference',
  name: 'Xinference',
  base_url: '',
  thoughts: 'by_model',
  ...createOpenaiEndpoints('chat', 'completions', ...NON_CHAT_OPERATIONS),
  models_path: '/v1/models',
  needs_key: false,
  fields: { base_url: { label: words('Address'), placeholder: 'http://localhost:9997', required: true } },
})
