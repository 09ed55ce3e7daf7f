// Xinference: models on your own servers; a key is optional.
import { words } from '../errors.ts'
import { NON_CHAT_OPERATIONS, createOpenaiEndpoints } from './openai-endpoints.ts'
import { provider } from './provider.ts'

export const xinference = provider({
  type: 47,
  id: 'xinference',
  name: 'Xinference',
  base_url: '',
  thoughts: 'by_model',
  models: [],
  ...createOpenaiEndpoints('chat', 'completions', ...NON_CHAT_OPERATIONS),
  models_path: '/v1/models',
  needs_key: false,
  fields: { base_url: { label: words('Address'), placeholder: 'http://localhost:9997', required: true } },
})
