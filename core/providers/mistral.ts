// Mistral: close to the format; its reasoning models answer in parts.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiEmbeddings, openaiModerations } from '../dialects/openai-embeddings.ts'
import { openaiTranscriptions } from '../dialects/openai-audio.ts'
import { names, provider } from './provider.ts'

export const mistral = provider({
  type: 42,
  id: 'mistral',
  name: 'Mistral',
  base_url: 'https://api.mistral.ai',
  models: names(`
    mistral-large-latest, mistral-large-2512, mistral-medium-latest, mistral-medium-2604, mistral-small-latest,
    mistral-small-2603, ministral-8b-latest, ministral-3b-latest, magistral-medium-latest,
    magistral-small-latest, devstral-latest, codestral-latest, pixtral-large-latest, open-mistral-nemo
  `),
  env: 'MISTRAL_API_KEY',
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions', limit: 'max_tokens' }],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  moderation: [{ dialect: openaiModerations, path: '/v1/moderations' }],
  transcription: [{ dialect: openaiTranscriptions, path: '/v1/audio/transcriptions' }],
  models_path: '/v1/models',
})
