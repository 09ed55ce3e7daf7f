// Jina: embeddings and reranking; no chat.
import { provider } from './provider.ts'

export const jina = provider({
  type: 38,
  id: 'jina',
  name: 'Jina',
  base_url: 'https://api.jina.ai',
  models: ['jina-reranker-v2-base-multilingual'],
  fields: {
    key: { label: 'API key', placeholder: 'jina_...', required: true },
  },
})
