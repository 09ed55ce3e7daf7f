// llama.cpp: its server on a local machine; a key is needed only if it was started with one. Anthropic's format follows
// the server's page (tools/server/README.md).
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { provider } from './provider.ts'

export const llamaCpp = provider({
  type: 1014,
  id: 'llama-cpp',
  name: 'llama.cpp',
  base_url: 'http://localhost:8080',
  thoughts: 'by_model',
  models: [],
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
