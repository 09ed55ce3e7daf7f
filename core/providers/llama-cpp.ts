// llama.cpp: its server on your own machine; a key is asked for only where it was started with one. Anthropic's format as
// its own page on the server has it (tools/server/README.md).
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { openaiCompletions } from '../dialects/openai-completions/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { rerank } from '../dialects/rerank.ts'
import { provider } from './provider.ts'

export const llamaCpp = provider({
  type: 1014,
  id: 'llama-cpp',
  name: 'llama.cpp',
  base_url: 'http://localhost:8080',
  models: [],
  chat: [
    { dialect: openaiChat, path: '/v1/chat/completions' },
    { dialect: openaiResponses, path: '/v1/responses' },
    { dialect: openaiCompletions, path: '/v1/completions' },
    { dialect: anthropicMessages, path: '/v1/messages' },
  ],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  rerank: [{ dialect: rerank, path: '/v1/rerank' }],
  models_path: '/v1/models',
  needs_key: false,
})
