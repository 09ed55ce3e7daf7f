// Jina: embeddings and reranking; no chat.
import { openaiDoors } from './openai-doors.ts'
import { API_KEY, provider } from './provider.ts'

export const jina = provider({
  type: 38,
  id: 'jina',
  name: 'Jina',
  base_url: 'https://api.jina.ai',
  models: ['jina-reranker-v2-base-multilingual'],
  ...openaiDoors('embeddings', 'rerank'),
  fields: {
    key: { label: API_KEY, placeholder: 'jina_...', required: true },
  },
})
