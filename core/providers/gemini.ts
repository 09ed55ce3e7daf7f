// Google Gemini: its endpoint in OpenAI's format, which takes the same keys.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { names, provider } from './provider.ts'

export const gemini = provider({
  type: 24,
  id: 'gemini',
  name: 'Google Gemini',
  base_url: 'https://generativelanguage.googleapis.com',
  models: names(`
    gemini-3.8-flash, gemini-3.7-flash, gemini-3.6-flash, gemini-3.5-flash, gemini-3.5-flash-lite,
    gemini-3.1-pro-preview, gemini-3-flash-preview, gemini-2.5-pro, gemini-2.5-flash, gemini-2.5-flash-lite,
    gemini-flash-latest, gemini-pro-latest
  `),
  env: 'GEMINI_API_KEY',
  chat: [{ dialect: openaiChat, path: '/v1beta/openai/chat/completions' }],
  models_path: '/v1beta/openai/models',
  fields: { key: { label: 'API key', placeholder: 'AIza...', required: true } },
})
