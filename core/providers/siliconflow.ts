// SiliconFlow: open models; outside China the address is https://api.siliconflow.com. Anthropic's format as at
// https://docs.siliconflow.cn/cn/api-reference/chat-completions/messages.
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiCompletions } from '../dialects/openai-completions/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { rerank } from '../dialects/rerank.ts'
import { openaiSpeech, openaiTranscriptions } from '../dialects/openai-audio.ts'
import { siliconflowBalance } from './balance.ts'
import { names, provider } from './provider.ts'

export const siliconflow = provider({
  type: 40,
  id: 'siliconflow',
  name: 'SiliconFlow',
  base_url: 'https://api.siliconflow.cn',
  models: names(`
    deepseek-ai/DeepSeek-R1, deepseek-ai/DeepSeek-V3, moonshotai/Kimi-K2.6, moonshotai/Kimi-K2.5,
    zai-org/GLM-5.2, zai-org/GLM-5.1, zai-org/GLM-5, Qwen/Qwen3.5-397B-A17B
  `),
  env: 'SILICONFLOW_API_KEY',
  chat: [
    { dialect: openaiChat, path: '/v1/chat/completions', limit: 'max_tokens' },
    { dialect: openaiCompletions, path: '/v1/completions' },
    { dialect: anthropicMessages, path: '/v1/messages' },
  ],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  rerank: [{ dialect: rerank, path: '/v1/rerank' }],
  speech: [{ dialect: openaiSpeech, path: '/v1/audio/speech' }],
  transcription: [{ dialect: openaiTranscriptions, path: '/v1/audio/transcriptions' }],
  models_path: '/v1/models',
  balance: siliconflowBalance,
  fields: { key: { label: 'API key', placeholder: 'sk-...', required: true } },
})
