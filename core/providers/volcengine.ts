// VolcEngine Ark: Doubao and others; a model may be an endpoint (ep-…) or a custom bot.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { arkVideosTasks } from '../dialects/tasks/ark-videos.ts'
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { names, provider } from './provider.ts'

export const volcengine = provider({
  type: 45,
  id: 'volcengine',
  name: 'VolcEngine Ark',
  base_url: 'https://ark.cn-beijing.volces.com',
  thoughts: 'takes',
  models: names(`
    deepseek-r1, deepseek-v3, kimi-k2, doubao-seedance-2-5-260628, doubao-seedance-2-0-260128,
    doubao-seedance-2-0-fast-260128, doubao-seedance-2-0-mini-260615
  `),
  env: 'ARK_API_KEY',
  chat: [
    {
      dialect: openaiChat,
      path: ({ base, model }) =>
        `${base.replace(/\/api\/v3$/, '')}/api/v3/${model.startsWith('bot') ? 'bots/' : ''}chat/completions`,
    },
    createOpenaiEndpoint('responses', { at: '/api/v3', serves: (model) => !model.startsWith('bot') }),
  ],
  ...createOpenaiEndpoints('embeddings', 'images', { at: '/api/v3' }),
  tasks: [{ dialect: arkVideosTasks }],
  models_path: '/api/v3/models',
})
