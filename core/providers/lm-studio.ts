// LM Studio: models on your own machine; Anthropic's format as at https://lmstudio.ai/docs/developer/anthropic-compat.
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { provider } from './provider.ts'

export const lmStudio = provider({
  type: 1013,
  id: 'lm-studio',
  name: 'LM Studio',
  base_url: 'http://localhost:1234',
  thoughts: 'by_model',
  models: [],
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
