// AIGC2D: a reseller of OpenAI's models.
import { creditBalance } from './balance.ts'
import { BESIDE_CHAT, openaiDoors } from './openai-doors.ts'
import { API_KEY, provider } from './provider.ts'

export const aigc2d = provider({
  type: 13,
  id: 'aigc2d',
  name: 'AIGC2D',
  base_url: 'https://api.aigc2d.com',
  thoughts: 'by_model',
  models: [],
  ...openaiDoors('chat', ...BESIDE_CHAT),
  models_path: '/v1/models',
  balance: creditBalance('total_available'),
  fields: { key: { label: API_KEY, placeholder: 'sk-...', required: true } },
})
