// API2GPT: a reseller of OpenAI's models.
import { creditBalance } from './balance.ts'
import { BESIDE_CHAT, openaiDoors } from './openai-doors.ts'
import { API_KEY, provider } from './provider.ts'

export const api2gpt = provider({
  type: 12,
  id: 'api2gpt',
  name: 'API2GPT',
  base_url: 'https://api.api2gpt.com',
  thoughts: 'by_model',
  models: [],
  ...openaiDoors('chat', ...BESIDE_CHAT),
  models_path: '/v1/models',
  balance: creditBalance('total_remaining'),
  fields: { key: { label: API_KEY, placeholder: 'sk-...', required: true } },
})
