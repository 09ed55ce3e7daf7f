// Baidu Qianfan: version 2 of its API; a key may name an app after a bar: KEY|appid. Anthropic's format has a separate
// address (https://cloud.baidu.com/doc/qianfan-docs/s/6mh3e6gjp).
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { adaptClaude } from './anthropic.ts'
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, hasKeyParts, names, provider } from './provider.ts'

export const qianfan = provider({
  type: 46,
  id: 'qianfan',
  name: 'Baidu Qianfan',
  base_url: 'https://qianfan.baidubce.com',
  thoughts: 'by_model',
  models: names(
    'ERNIE-4.0-8K, ERNIE-3.5-8K, ERNIE-Speed-128K, ERNIE-Speed-8K, ERNIE-Tiny-8K, deepseek-r1, deepseek-v3',
  ),
  env: 'QIANFAN_API_KEY',
  chat: [
    createOpenaiEndpoint('chat', { at: '/v2' }),
    {
      dialect: anthropicMessages,
      path: '/anthropic/v1/messages',
      adapt: adaptClaude,
      authorize: ({ key }) => {
        const [api_key = '', appid] = key.split('|')
        return { 'x-api-key': api_key, ...(appid ? { appid } : {}) }
      },
    },
  ],
  ...createOpenaiEndpoints('embeddings', 'rerank', 'images', 'image_edits', { at: '/v2' }),
  models_path: '/v2/models',
  hasKeyForm: hasKeyParts(1, 2),
  authorize: (channel) => {
    const [key, appid] = channel.key.split('|')
    return { authorization: `Bearer ${key}`, ...(appid ? { appid } : {}) }
  },
  fields: { key: { label: API_KEY_LABEL, placeholder: 'bce-v3/ALTAK-.../...', required: true } },
})
