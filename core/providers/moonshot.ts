// Moonshot: Kimi; outside China the address is https://api.moonshot.ai. Anthropic's format has a separate address
// (https://platform.kimi.ai/docs/api/overview.md, read in quotations).
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { adaptClaude } from './anthropic.ts'
import { fetchMoonshotBalance } from './balance.ts'
import { createOpenaiEndpoint } from './openai-endpoints.ts'
import { API_KEY_LABEL, names, provider } from './provider.ts'

export const moonshot = provider({
  type: 25,
  id: 'moonshot',
  name: 'Moonshot',
  base_url: 'https://api.moonshot.cn',
  thoughts: 'wants',
  models: names(`
    kimi-k3, kimi-k2.7-code, kimi-k2.7-code-highspeed, kimi-k2.6, kimi-k2.5, kimi-k2-thinking,
    kimi-k2-turbo-preview, kimi-latest, moonshot-v1-auto, moonshot-v1-8k, moonshot-v1-32k, moonshot-v1-128k
  `),
  env: 'MOONSHOT_API_KEY',
  chat: [
    createOpenaiEndpoint('chat'),
    // With the key as a bearer token, as clients of that format send it (ANTHROPIC_AUTH_TOKEN).
    { dialect: anthropicMessages, path: '/anthropic/v1/messages', adapt: adaptClaude },
  ],
  models_path: '/v1/models',
  balance: fetchMoonshotBalance,
  fields: { key: { label: API_KEY_LABEL, placeholder: 'sk-...', required: true } },
})
