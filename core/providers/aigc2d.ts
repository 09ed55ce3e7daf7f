// AIGC2D: a reseller of OpenAI's models.
import { creditBalance } from './balance.ts'
import { NON_CHAT_OPERATIONS, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const aigc2d = provider({
  type: 13,
  id: 'aigc2d',
  name: 'AIGC2D',
  base_url: 'https://api.aigc2d.com',
  thoughts: 'by_model',
  models: [],
  ...createOpenaiEndpoints('chat', ...NON_CHAT_OPERATIONS),
  models_path: '/v1/models',
  balance: creditBalance('total_available'),
  fields: { key: { label: API_KEY_LABEL, placeholder: 'sk-...', required: true } },
})
