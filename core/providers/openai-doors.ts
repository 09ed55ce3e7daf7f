// The ways into a server that has all of OpenAI's endpoints beside chat.
import { openaiSpeech, openaiTranscriptions, openaiTranslations } from '../dialects/openai-audio.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { openaiImageEdits, openaiImageVariations, openaiImages } from '../dialects/openai-images.ts'
import { rerank } from '../dialects/rerank.ts'
import type { Provider } from './provider.ts'

export const openaiDoors: Pick<Provider, 'embeddings' | 'rerank' | 'images' | 'speech' | 'transcription'> = {
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
}
