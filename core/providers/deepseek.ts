// DeepSeek: counts cache hits in separate usage fields. Anthropic's format has a separate address ("Using the Anthropic
// API", https://api-docs.deepseek.com/guides/anthropic_api).
import { createAnthropicEndpoint } from './anthropic.ts'
import { fetchDeepseekBalance } from './balance.ts'
import { createOpenaiEndpoint } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const deepseek = provider({
  type: 43,
  id: 'deepseek',
  name: 'DeepSeek',
  base_url: 'https://api.deepseek.com',
  thoughts: 'wants',
  models: ['deepseek-v4-pro', 'deepseek-v4-flash', 'deepseek-flash', 'deepseek-chat', 'deepseek-reasoner'],
  env: 'DEEPSEEK_API_KEY',
  chat: [
    createOpenaiEndpoint('chat', { limit: 'max_tokens' }),
    createOpenaiEndpoint('responses', { at: '' }),
    createOpenaiEndpoint('completions', { at: '/beta' }),
    createAnthropicEndpoint('/anthropic/v1/messages'),
  ],
  models_path: '/v1/models',
  balance: fetchDeepseekBalance,
  fields: { key: { label: API_KEY_LABEL, placeholder: 'sk-...', required: true } },
})
