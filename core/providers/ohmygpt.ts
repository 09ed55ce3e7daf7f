// OhMyGPT: a reseller of many vendors' models.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiDoors } from './openai-doors.ts'
import { provider } from './provider.ts'

export const ohmygpt = provider({
  type: 7,
  id: 'ohmygpt',
  name: 'OhMyGPT',
  base_url: 'https://api.ohmygpt.com',
  models: [],
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions' }],
  ...openaiDoors,
  models_path: '/v1/models',
  fields: { key: { label: 'API key', placeholder: 'sk-...', required: true } },
})
