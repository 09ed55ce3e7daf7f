// DeepSeek: counts cache hits in separate usage fields. Anthropic's format has a separate address ("Using the Anthropic
// API", https://api-docs.deepseek.com/guides/anthropic_api).
import { anthropicDoor } from './anthropic.ts'
import { deepseekBalance } from './balance.ts'
import { openaiDoor } from './openai-doors.ts'
import { API_KEY, provider } from './provider.ts'

export const deepseek = provider({
  type: 43,
  id: 'deepseek',
  name: 'DeepSeek',
  base_url: 'https://api.deepseek.com',
  thoughts: 'wants',
  models: ['deepseek-v4-pro', 'deepseek-v4-flash', 'deepseek-flash', 'deepseek-chat', 'deepseek-reasoner'],
  env: 'DEEPSEEK_API_KEY',
  chat: [
    openaiDoor('chat', { limit: 'max_tokens' }),
    openaiDoor('responses', { at: '' }),
    openaiDoor('completions', { at: '/beta' }),
    anthropicDoor('/anthropic/v1/messages'),
  ],
  models_path: '/v1/models',
  balance: deepseekBalance,
  fields: { key: { label: API_KEY, placeholder: 'sk-...', required: true } },
})
