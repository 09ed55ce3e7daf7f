// Anthropic Claude: its endpoint in OpenAI's format, which takes the same keys.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { bearer, names, provider } from './provider.ts'

export const anthropic = provider({
  type: 14,
  id: 'anthropic',
  name: 'Anthropic Claude',
  base_url: 'https://api.anthropic.com',
  models: names(`
    claude-opus-5-5, claude-opus-5, claude-sonnet-5-5, claude-sonnet-5, claude-haiku-5-5, claude-fable-5-1,
    claude-opus-4-8, claude-opus-4-6, claude-sonnet-4-6, claude-sonnet-4-5, claude-haiku-4-5
  `),
  env: 'ANTHROPIC_API_KEY',
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions' }],
  models_path: '/v1/models',
  authorize: (channel) => ({ ...bearer(channel), 'anthropic-version': '2023-06-01' }),
  fields: { key: { label: 'API key', placeholder: 'sk-ant-...', required: true } },
})
