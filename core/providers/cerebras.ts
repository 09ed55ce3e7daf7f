// Cerebras: open models, fast.
import { createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const cerebras = provider({
  type: 1004,
  id: 'cerebras',
  name: 'Cerebras',
  base_url: 'https://api.cerebras.ai',
  thoughts: 'refuses',
  models: ['gpt-oss-120b', 'zai-glm-4.7'],
  env: 'CEREBRAS_API_KEY',
  ...createOpenaiEndpoints('chat'),
  models_path: '/v1/models',
  fields: { key: { label: API_KEY_LABEL, placeholder: 'csk-...', required: true } },
})
