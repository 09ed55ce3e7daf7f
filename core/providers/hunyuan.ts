// Tencent Hunyuan: its endpoint in OpenAI's format. Keys of the older signed interface (AppId|SecretId|SecretKey) are
// refused: they prove nothing here.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { fail } from '../errors.ts'
import { bearer, provider } from './provider.ts'

export const hunyuan = provider({
  type: 23,
  id: 'tencent',
  name: 'Tencent Hunyuan',
  base_url: 'https://api.hunyuan.cloud.tencent.com',
  models: ['hunyuan'],
  env: 'HUNYUAN_API_KEY',
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions' }],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  models_path: '/v1/models',
  authorize: (channel) => (channel.key.includes('|') ? fail('channel.key_format') : bearer(channel)),
  fields: { key: { label: 'API key of the Hunyuan console', placeholder: 'sk-...', required: true } },
})
