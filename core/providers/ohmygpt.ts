// OhMyGPT: a reseller of many vendors' models.
import { NON_CHAT_OPERATIONS, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const ohmygpt = provider({
  type: 7,
  id: 'ohmygpt',
  name: 'OhMyGPT',
  base_url: 'https://api.ohmygpt.com',
  thoughts: 'by_model',
  models: [],
  ...createOpenaiEndpoints('chat', ...NON_CHAT_OPERATIONS),
  models_path: '/v1/models',
  fields: { key: { label: API_KEY_LABEL, placeholder: 'sk-...', required: true } },
})
