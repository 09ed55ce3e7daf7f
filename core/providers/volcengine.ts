// VolcEngine Ark: Doubao and others; a model may be an endpoint (ep-…) or a bot of one's own.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { openaiImages } from '../dialects/openai-images.ts'
import { provider } from './provider.ts'

export const volcengine = provider({
  type: 45,
  id: 'volcengine',
  name: 'VolcEngine Ark',
  base_url: 'https://ark.cn-beijing.volces.com',
  models: ['deepseek-r1', 'deepseek-v3', 'kimi-k2'],
  env: 'ARK_API_KEY',
  chat: [
    {
      dialect: openaiChat,
      path: ({ base, model }) =>
        `${base.replace(/\/api\/v3$/, '')}/api/v3/${model.startsWith('bot') ? 'bots/' : ''}chat/completions`,
    },
    { dialect: openaiResponses, path: '/api/v3/responses', serves: (model) => !model.startsWith('bot') },
  ],
  embeddings: [{ dialect: openaiEmbeddings, path: '/api/v3/embeddings' }],
  images: [{ dialect: openaiImages, path: '/api/v3/images/generations' }],
  models_path: '/api/v3/models',
})
