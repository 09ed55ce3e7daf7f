// Together AI: open models.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiCompletions } from '../dialects/openai-completions/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { rerank } from '../dialects/rerank.ts'
import { openaiSpeech, openaiTranscriptions, openaiTranslations } from '../dialects/openai-audio.ts'
import { openaiImages } from '../dialects/openai-images.ts'
import { names, provider } from './provider.ts'

export const together = provider({
  type: 1002,
  id: 'together',
  name: 'Together AI',
  base_url: 'https://api.together.xyz',
  models: names(`
    deepseek-ai/DeepSeek-V4-Pro, deepseek-ai/DeepSeek-V3-1, deepseek-ai/DeepSeek-R1, MiniMaxAI/MiniMax-M3,
    MiniMaxAI/MiniMax-M2.7, moonshotai/Kimi-K2.7-Code, moonshotai/Kimi-K2.6, zai-org/GLM-5.2, zai-org/GLM-5.1,
    Qwen/Qwen3.7-Max, Qwen/Qwen3.5-397B-A17B, openai/gpt-oss-120b, openai/gpt-oss-20b,
    meta-llama/Llama-3.3-70B-Instruct-Turbo, google/gemma-4-31B-it
  `),
  env: 'TOGETHER_API_KEY',
  chat: [
    { dialect: openaiChat, path: '/v1/chat/completions' },
    { dialect: openaiCompletions, path: '/v1/completions' },
  ],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  rerank: [{ dialect: rerank, path: '/v1/rerank' }],
  images: [{ dialect: openaiImages, path: '/v1/images/generations' }],
  speech: [{ dialect: openaiSpeech, path: '/v1/audio/speech' }],
  transcription: [
    { dialect: openaiTranscriptions, path: '/v1/audio/transcriptions' },
    { dialect: openaiTranslations, path: '/v1/audio/translations' },
  ],
  models_path: '/v1/models',
})
