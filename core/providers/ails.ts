// AILS: a reseller of OpenAI's models.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiDoors } from './openai-doors.ts'
import { provider } from './provider.ts'

export const ails = provider({
  type: 9,
  id: 'ails',
  name: 'AILS (CaiPaCity)',
  base_url: 'https://api.caipacity.com',
  models: [],
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions' }],
  ...openaiDoors,
  models_path: '/v1/models',
  fields: { key: { label: 'API key', placeholder: 'sk-...', required: true } },
})
