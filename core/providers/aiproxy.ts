// AI Proxy: a reseller of OpenAI's models. It reports balances in points, at another address.
import { aiproxyBalance } from './balance.ts'
import { BESIDE_CHAT, openaiDoors } from './openai-doors.ts'
import { API_KEY, provider } from './provider.ts'

export const aiproxy = provider({
  type: 10,
  id: 'aiproxy',
  name: 'AI Proxy',
  base_url: 'https://api.aiproxy.io',
  thoughts: 'by_model',
  models: [],
  ...openaiDoors('chat', ...BESIDE_CHAT),
  models_path: '/v1/models',
  balance: aiproxyBalance,
  fields: { key: { label: API_KEY, placeholder: 'sk-...', required: true } },
})
