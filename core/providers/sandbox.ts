// A provider that answers offline, deterministically and with honest usage: for trying Weir out and for tests.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiEmbeddings, openaiModerations } from '../dialects/openai-embeddings.ts'
import { rerank } from '../dialects/rerank.ts'
import { openaiImages } from '../dialects/openai-images.ts'
import { provider } from './provider.ts'
import { answer } from './sandbox/answer.ts'

export const sandbox = provider({
  type: 1000,
  id: 'sandbox',
  name: 'Sandbox (answers offline)',
  base_url: 'http://sandbox.invalid', // a name that never resolves: nothing leaves this machine
  models: ['sandbox-small', 'sandbox-large'],
  needs_key: false,
  authorize: () => ({}),
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions' }],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  moderation: [{ dialect: openaiModerations, path: '/v1/moderations' }],
  rerank: [{ dialect: rerank, path: '/v1/rerank' }],
  images: [{ dialect: openaiImages, path: '/v1/images/generations' }],
  answer,
})
