// NVIDIA NIM: open models, also on self-hosted servers.
import { createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const nvidia = provider({
  type: 1011,
  id: 'nvidia',
  name: 'NVIDIA NIM',
  base_url: 'https://integrate.api.nvidia.com',
  thoughts: 'by_model',
  ...createOpenaiEndpoints('chat', 'embeddings'),
  models_path: '/v1/models',
  env: 'NVIDIA_API_KEY',
  fields: { key: { label: API_KEY_LABEL, placeholder: 'nvapi-...', required: true } },
})
