// 360: the models of Qihoo.
import { createOpenaiEndpoints } from './openai-endpoints.ts'
import { provider } from './provider.ts'

export const qihoo = provider({
  type: 19,
  id: '360',
  name: '360',
  base_url: 'https://api.360.cn',
  thoughts: 'refuses',
  models: ['360gpt2-pro', '360gpt-pro', '360gpt-turbo', '360gpt-turbo-responsibility-8k'],
  ...createOpenaiEndpoints('chat', 'embeddings', 'images'),
  models_path: '/v1/models',
})
