// Hugging Face: its router to the services that run a model; Responses as at
// https://huggingface.co/docs/inference-providers/guides/responses-api.
import { words } from '../errors.ts'
import { createOpenaiEndpoints } from './openai-endpoints.ts'
import { provider } from './provider.ts'

export const huggingface = provider({
  type: 1005,
  id: 'huggingface',
  name: 'Hugging Face',
  base_url: 'https://router.huggingface.co',
  thoughts: 'by_model',
  ...createOpenaiEndpoints('chat', 'responses'),
  models_path: '/v1/models',
  env: 'HF_TOKEN',
  fields: { key: { label: words('Token'), placeholder: 'hf_...', required: true } },
})
