// Xinference: models on your own servers; a key is optional.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiCompletions } from '../dialects/openai-completions/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { rerank } from '../dialects/rerank.ts'
import { openaiSpeech, openaiTranscriptions, openaiTranslations } from '../dialects/openai-audio.ts'
import { openaiImageEdits, openaiImageVariations, openaiImages } from '../dialects/openai-images.ts'
import { provider } from './provider.ts'

export const xinference = provider({
  type: 47,
  id: 'xinference',
  name: 'Xinference',
  base_url: '',
  models: [],
  chat: [
    { dialect: openaiChat, path: '/v1/chat/completions' },
    { dialect: openaiCompletions, path: '/v1/completions' },
  ],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  rerank: [{ dialect: rerank, path: '/v1/rerank' }],
  images: [
    { dialect: openaiImages, path: '/v1/images/generations' },
    { dialect: openaiImageEdits, path: '/v1/images/edits' },
    { dialect: openaiImageVariations, path: '/v1/images/variations' },
  ],
  speech: [{ dialect: openaiSpeech, path: '/v1/audio/speech' }],
  transcription: [
    { dialect: openaiTranscriptions, path: '/v1/audio/transcriptions' },
    { dialect: openaiTranslations, path: '/v1/audio/translations' },
  ],
  models_path: '/v1/models',
  needs_key: false,
  fields: { base_url: { label: 'Address', placeholder: 'http://localhost:9997', required: true } },
})
