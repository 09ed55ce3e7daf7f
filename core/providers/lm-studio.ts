// LM Studio: models on your own machine; Anthropic's format as at https://lmstudio.ai/docs/developer/anthropic-compat.
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { openaiCompletions } from '../dialects/openai-completions/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { provider } from './provider.ts'

export const lmStudio = provider({
  type: 1013,
  id: 'lm-studio',
  name: 'LM Studio',
  base_url: 'http://localhost:1234',
  models: [],
  chat: [
    { dialect: openaiChat, path: '/v1/chat/completions', limit: 'max_tokens' },
    { dialect: openaiResponses, path: '/v1/responses' },
    { dialect: openaiCompletions, path: '/v1/completions' },
    { dialect: anthropicMessages, path: '/v1/messages' },
  ],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  models_path: '/v1/models',
  needs_key: false,
})
