// SiliconFlow: open models; outside China the address is https://api.siliconflow.com. Anthropic's format as at
// https://docs.siliconflow.cn/cn/api-reference/chat-completions/messages.
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { fetchSiliconflowBalance } from './balance.ts'
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, names, provider } from './provider.ts'

export const siliconflow = provider({
  type: 40,
  id: 'siliconflow',
  name: 'SiliconFlow',
  base_url: 'https://api.siliconflow.cn',
  thoughts: 'by_model',
  models: names(`
    deepseek-ai/DeepSeek-R1, deepseek-ai/DeepSeek-V3, moonshotai/Kimi-K2.6, moonshotai/Kimi-K2.5,
    zai-org/GLM-5.2, zai-org/GLM-5.1, zai-org/GLM-5, Qwen/Qwen3.5-397B-A17B
  `),
  env: 'SILICONFLOW_API_KEY',
  chat: [
    createOpenaiEndpoint('chat', { limit: 'max_tokens' }),
    createOpenaiEndpoint('completions'),
    { dialect: anthropicMessages, path: '/v1/messages' },
  ],
  ...createOpenaiEndpoints('embeddings', 'rerank', 'images', 'speech', 'transcriptions'),
  models_path: '/v1/models',
  balance: fetchSiliconflowBalance,
  fields: { key: { label: API_KEY_LABEL, placeholder: 'sk-...', required: true } },
})
