// Voyage AI: embeddings; its reranking has a separate request format.
import { createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const voyage = provider({
  type: 1008,
  id: 'voyage',
  name: 'Voyage AI',
  base_url: 'https://api.voyageai.com',
  ...createOpenaiEndpoints('embeddings'),
  env: 'VOYAGE_API_KEY',
  fields: { key: { label: API_KEY_LABEL, placeholder: 'pa-...', required: true } },
})
