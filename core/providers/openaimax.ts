// OpenAIMax: a reseller of OpenAI's models.
import { NON_CHAT_OPERATIONS, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const openaimax = provider({
  type: 6,
  id: 'openaimax',
  name: 'OpenAIMax',
  base_url: 'https://api.openaimax.com',
  thoughts: 'by_model',
  models: [],
  ...createOpenaiEndpoints('chat', ...NON_CHAT_OPERATIONS),
  models_path: '/v1/models',
  fields: { key: { label: API_KEY_LABEL, placeholder: 'sk-...', required: true } },
})
