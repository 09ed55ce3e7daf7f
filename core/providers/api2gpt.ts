// API2GPT: a reseller of OpenAI's models.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { creditBalance } from './balance.ts'
import { openaiDoors } from './openai-doors.ts'
import { provider } from './provider.ts'

export const api2gpt = provider({
  type: 12,
  id: 'api2gpt',
  name: 'API2GPT',
  base_url: 'https://api.api2gpt.com',
  models: [],
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions' }],
  ...openaiDoors,
  models_path: '/v1/models',
  balance: creditBalance('total_remaining'),
  fields: { key: { label: 'API key', placeholder: 'sk-...', required: true } },
})
