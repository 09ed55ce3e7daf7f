// MokaAI: embeddings only. Its address answers no more.
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { provider } from './provider.ts'

export const moka = provider({
  type: 44,
  id: 'mokaai',
  name: 'MokaAI',
  base_url: 'https://api.moka.ai',
  models: [],
  retired: 'type 38 (Jina) or type 40 (SiliconFlow)',
  embeddings: [{ dialect: openaiEmbeddings, path: '/embeddings' }],
  fields: {
    key: { label: 'API key', required: true },
  },
})
