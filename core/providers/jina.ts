// Jina: embeddings and reranking; no chat.
import { createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const jina = provider({
  type: 38,
  id: 'jina',
  name: 'Jina',
  base_url: 'https://api.jina.ai',
  models: ['jina-reranker-v2-base-multilingual'],
  ...createOpenaiEndpoints('embeddings', 'rerank'),
  fields: {
    key: { label: API_KEY_LABEL, placeholder: 'jina_...', required: true },
  },
})
