// Ali Tongyi: Qwen, at the compatible endpoint of DashScope; outside China: https://dashscope-intl.aliyuncs.com.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { bearer, names, provider } from './provider.ts'

export const dashscope = provider({
  type: 17,
  id: 'ali',
  name: 'Ali Tongyi',
  base_url: 'https://dashscope.aliyuncs.com',
  models: names('qwen-plus, qwen-max, qwen-flash, qwen-turbo, qwen-vl-max, qwen-vl-plus'),
  env: 'DASHSCOPE_API_KEY',
  chat: [{ dialect: openaiChat, path: '/compatible-mode/v1/chat/completions' }],
  embeddings: [{ dialect: openaiEmbeddings, path: '/compatible-mode/v1/embeddings' }],
  models_path: '/compatible-mode/v1/models',
  authorize: (channel) => ({
    ...bearer(channel),
    ...(channel.other ? { 'x-dashscope-plugin': channel.other } : {}),
  }),
  fields: {
    key: { label: 'API key', placeholder: 'sk-...', required: true },
    other: { label: 'Plugins (JSON, sent as X-DashScope-Plugin)', placeholder: '{"calculator":{}}' },
  },
})
