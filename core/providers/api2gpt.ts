// API2GPT: a reseller of OpenAI's models.
import { creditBalance } from './balance.ts'
import { NON_CHAT_OPERATIONS, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const api2gpt = provider({
  type: 12,
  id: 'api2gpt',
  name: 'API2GPT',
  base_url: 'https://api.api2gpt.com',
  thoughts: 'by_model',
  models: [],
  ...createOpenaiEndpoints('chat', ...NON_CHAT_OPERATIONS),
  models_path: '/v1/models',
  balance: creditBalance('total_remaining'),
  fields: { key: { label: API_KEY_LABEL, placeholder: 'sk-...', required: true } },
})
