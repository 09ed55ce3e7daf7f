// AI Proxy: a reseller of OpenAI's models. It reports balances in points, at another address.
import { fetchAiproxyBalance } from './balance.ts'
import { NON_CHAT_OPERATIONS, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const aiproxy = provider({
  type: 10,
  id: 'aiproxy',
  name: 'AI Proxy',
  base_url: 'https://api.aiproxy.io',
  thoughts: 'by_model',
  models: [],
  ...createOpenaiEndpoints('chat', ...NON_CHAT_OPERATIONS),
  models_path: '/v1/models',
  balance: fetchAiproxyBalance,
  fields: { key: { label: API_KEY_LABEL, placeholder: 'sk-...', required: true } },
})
