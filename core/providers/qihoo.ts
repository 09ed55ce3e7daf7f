// 360: the models of Qihoo.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiImages } from '../dialects/openai-images.ts'
import { openaiDoors } from './openai-doors.ts'
import { provider } from './provider.ts'

export const qihoo = provider({
  type: 19,
  id: '360',
  name: '360',
  base_url: 'https://api.360.cn',
  models: ['360gpt2-pro', '360gpt-pro', '360gpt-turbo', '360gpt-turbo-responsibility-8k'],
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions' }],
  embeddings: openaiDoors.embeddings,
  images: [{ dialect: openaiImages, path: '/v1/images/generations' }],
  models_path: '/v1/models',
})
