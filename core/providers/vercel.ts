// Vercel AI Gateway: many vendors behind one address, also in Anthropic's format
// (https://vercel.com/docs/ai-gateway/sdks-and-apis: anthropic-messages-api, responses).
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { adaptClaude } from './anthropic.ts'
import { createOpenaiEndpoint, createOpenaiEndpoints, UNKNOWN_TRIGGER_ERRORS } from './openai-endpoints.ts'
import { provider } from './provider.ts'

const isOpenai = (model: string): boolean => model.startsWith('openai/')

export const vercel = provider({
  type: 1006,
  id: 'vercel',
  name: 'Vercel AI Gateway',
  base_url: 'https://ai-gateway.vercel.sh',
  thoughts: 'by_model',
  chat: [
    createOpenaiEndpoint('chat'),
    createOpenaiEndpoint('responses'),
    { dialect: anthropicMessages, path: '/v1/messages', adapt: adaptClaude },
    createOpenaiEndpoint('compaction', { optional: true, serves: isOpenai }),
    createOpenaiEndpoint('compaction_trigger', { ...UNKNOWN_TRIGGER_ERRORS, serves: isOpenai }),
  ],
  ...createOpenaiEndpoints('embeddings'),
  models_path: '/v1/models',
  env: 'AI_GATEWAY_API_KEY',
})
