// OhMyGPT: a reseller of many vendors' models.
import { BESIDE_CHAT, openaiDoors } from './openai-doors.ts'
import { API_KEY, provider } from './provider.ts'

export const ohmygpt = provider({
  type: 7,
  id: 'ohmygpt',
  name: 'OhMyGPT',
  base_url: 'https://api.ohmygpt.com',
  thoughts: 'by_model',
  models: [],
  ...openaiDoors('chat', ...BESIDE_CHAT),
  models_path: '/v1/models',
  fields: { key: { label: API_KEY, placeholder: 'sk-...', required: true } },
})
