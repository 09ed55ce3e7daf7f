// AIGC2D: a reseller of OpenAI's models.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { creditBalance } from './balance.ts'
import { openaiDoors } from './openai-doors.ts'
import { provider } from './provider.ts'

export const aigc2d = provider({
  type: 13,
  id: 'aigc2d',
  name: 'AIGC2D',
  base_url: 'https://api.aigc2d.com',
  models: [],
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions' }],
  ...openaiDoors,
  models_path: '/v1/models',
  balance: creditBalance('total_available'),
  fields: { key: { label: 'API key', placeholder: 'sk-...', required: true } },
})
