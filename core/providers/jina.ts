// Jina: embeddings and reranking; no chat.
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { rerank } from '../dialects/rerank.ts'
import { provider } from './provider.ts'

export const jina = provider({
  type: 38,
  id: 'jina',
  name: 'Jina',
  base_url: 'https://api.jina.ai',
  models: ['jina-reranker-v2-base-multilingual'],
  embeddings: [{ dialect: openaiEmbeddings, path: '/v1/embeddings' }],
  rerank: [{ dialect: rerank, path: '/v1/rerank' }],
  fields: {
    key: { label: 'API key', placeholder: 'jina_...', required: true },
  },
})
