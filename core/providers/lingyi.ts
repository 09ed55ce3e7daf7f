// 01.AI: the Yi models.
import { createOpenaiEndpoints } from './openai-endpoints.ts'
import { provider } from './provider.ts'

export const lingyi = provider({
  type: 31,
  id: 'lingyiwanwu',
  name: '01.AI',
  base_url: 'https://api.lingyiwanwu.com',
  thoughts: 'refuses',
  models: ['yi-large', 'yi-large-turbo', 'yi-medium', 'yi-vision', 'yi-spark'],
  ...createOpenaiEndpoints('chat'),
  models_path: '/v1/models',
})
