// Ollama: models on your own machine; its compatible endpoints take no key. Anthropic's format beside OpenAI's:
// https://docs.ollama.com/api/anthropic-compatibility.
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiCompletions } from '../dialects/openai-completions/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { adaptClaude } from './anthropic.ts'
import { provider } from './provider.ts'

export const ollama = provider({
  type: 4,
  id: 'ollama',
  name: 'Ollama',
  base_url: 'http://localhost:11434',
  models: [],
  chat: [
    { dialect: openaiChat, path: '/v1/chat/completions', limit: 'max_tokens', inlines: ['image', 'file'] },
    { dialect: openaiResponses, path: '/v1/responses', inlines: ['image', 'file'] },
    { dialect: openaiCompletions, path: '/v1/completions' },
    { dialect: anthropicMessages, path: '/v1/messages', adapt: adaptClaude, inlines: ['image', 'file'] },
  ],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  models_path: '/v1/models',
  needs_key: false,
  fields: { base_url: { label: 'Address', placeholder: 'http://localhost:11434' } },
})
