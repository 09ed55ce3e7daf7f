// Fireworks AI: open models; their names begin with accounts/fireworks/models/. Anthropic's format as at
// https://docs.fireworks.ai/tools-sdks/anthropic-compatibility.
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const fireworks = provider({
  type: 1003,
  id: 'fireworks',
  name: 'Fireworks AI',
  base_url: 'https://api.fireworks.ai/inference',
  thoughts: 'takes',
  env: 'FIREWORKS_API_KEY',
  chat: [
    createOpenaiEndpoint('chat'),
    createOpenaiEndpoint('responses'),
    createOpenaiEndpoint('completions'),
    { dialect: anthropicMessages, path: '/v1/messages' },
  ],
  ...createOpenaiEndpoints('embeddings', 'rerank'),
  models_path: '/v1/models',
  fields: { key: { label: API_KEY_LABEL, placeholder: 'fw_...', required: true } },
})
