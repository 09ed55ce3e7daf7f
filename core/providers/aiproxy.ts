// AI Proxy: a reseller of OpenAI's models. It tells balances in points, at another address.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { aiproxyBalance } from './balance.ts'
import { openaiDoors } from './openai-doors.ts'
import { provider } from './provider.ts'

export const aiproxy = provider({
  type: 10,
  id: 'aiproxy',
  name: 'AI Proxy',
  base_url: 'https://api.aiproxy.io',
  models: [],
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions' }],
  ...openaiDoors,
  models_path: '/v1/models',
  balance: aiproxyBalance,
  fields: { key: { label: 'API key', placeholder: 'sk-...', required: true } },
})
