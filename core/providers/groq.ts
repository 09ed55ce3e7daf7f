// Groq: open models, fast; usage also appears in a separate member.
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, names, provider } from './provider.ts'

export const groq = provider({
  type: 1001,
  id: 'groq',
  name: 'Groq',
  base_url: 'https://api.groq.com/openai',
  thoughts: 'refuses',
  models: names(`
    openai/gpt-oss-120b, openai/gpt-oss-20b, openai/gpt-oss-safeguard-20b, llama-3.3-70b-versatile,
    llama-3.1-8b-instant, meta-llama/llama-4-scout-17b-16e-instruct,
    meta-llama/llama-4-maverick-17b-128e-instruct, moonshotai/kimi-k2-instruct-0905, qwen/qwen3-32b
  `),
  env: 'GROQ_API_KEY',
  ...createOpenaiEndpoints('speech', 'transcriptions', 'translations'),
  chat: [
    createOpenaiEndpoint('chat'),
    // "Unsupported Features": https://console.groq.com/docs/responses-api
    createOpenaiEndpoint('responses', { refuses: ['include', 'prompt_cache_key', 'safety_identifier', 'truncation'] }),
  ],
  models_path: '/v1/models',
  fields: { key: { label: API_KEY_LABEL, placeholder: 'gsk_...', required: true } },
})
