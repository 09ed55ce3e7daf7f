// Fireworks AI: open models; their names begin with accounts/fireworks/models/.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { provider } from './provider.ts'

export const fireworks = provider({
  type: 1003,
  id: 'fireworks',
  name: 'Fireworks AI',
  base_url: 'https://api.fireworks.ai/inference',
  models: [],
  env: 'FIREWORKS_API_KEY',
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions' }],
  models_path: '/v1/models',
  fields: { key: { label: 'API key', placeholder: 'fw_...', required: true } },
})
