// AILS: a reseller of OpenAI's models.
import { NON_CHAT_OPERATIONS, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const ails = provider({
  type: 9,
  id: 'ails',
  name: 'AILS (CaiPaCity)',
  base_url: 'https://api.caipacity.com',
  thoughts: 'by_model',
  models: [],
  ...createOpenaiEndpoints('chat', ...NON_CHAT_OPERATIONS),
  models_path: '/v1/models',
  fields: { key: { label: API_KEY_LABEL, placeholder: 'sk-...', required: true } },
})
