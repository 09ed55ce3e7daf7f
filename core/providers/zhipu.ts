// Zhipu GLM: accepts the raw key as a bearer token; outside China the address is https://api.z.ai. Anthropic's format
// has a separate address (https://docs.bigmodel.cn/cn/guide/develop/claude/introduction).
import { createAnthropicEndpoint } from './anthropic.ts'
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, names, provider } from './provider.ts'

export const zhipu = provider({
  type: 26,
  id: 'zhipu',
  name: 'Zhipu GLM',
  base_url: 'https://open.bigmodel.cn',
  thoughts: 'takes',
  models: names(`
    glm-5.3, glm-5.3-flash, glm-5.2, glm-5.1, glm-5, glm-5-turbo, glm-5v-turbo, glm-4.7, glm-4.7-flash, glm-4.6,
    glm-4.6v, glm-4.5, glm-4.5-air, glm-4.5v
  `),
  env: 'ZHIPU_API_KEY',
  chat: [
    createOpenaiEndpoint('chat', { at: '/api/paas/v4', limit: 'max_tokens' }),
    createAnthropicEndpoint('/api/anthropic/v1/messages'),
  ],
  ...createOpenaiEndpoints('embeddings', 'rerank', 'images', 'speech', 'transcriptions', { at: '/api/paas/v4' }),
  models_path: '/api/paas/v4/models',
  fields: { key: { label: API_KEY_LABEL, placeholder: 'id.secret', required: true } },
})

/** The discontinued interface v3. Channels of this type use the current one, which still accepts tokens signed with their keys. */
export const zhipuV3 = provider({
  ...zhipu,
  type: 16,
  id: 'zhipu-v3',
  name: 'Zhipu ChatGLM (v3)',
  models: [],
  hasKeyForm: (key) => /^[^.\s]+\.\S+$/.test(key),
  retired: 'type 26 (Zhipu GLM)',
  authorize: async ({ key }, _, { signer }) => ({ authorization: `Bearer ${await signer.zhipu(key)}` }),
})
