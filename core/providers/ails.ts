// AILS: a reseller of OpenAI's models.
import { BESIDE_CHAT, openaiDoors } from './openai-doors.ts'
import { API_KEY, provider } from './provider.ts'

export const ails = provider({
  type: 9,
  id: 'ails',
  name: 'AILS (CaiPaCity)',
  base_url: 'https://api.caipacity.com',
  thoughts: 'by_model',
  models: [],
  ...openaiDoors('chat', ...BESIDE_CHAT),
  models_path: '/v1/models',
  fields: { key: { label: API_KEY, placeholder: 'sk-...', required: true } },
})
