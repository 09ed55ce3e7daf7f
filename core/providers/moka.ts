// MokaAI: embeddings only.
import { provider } from './provider.ts'

export const moka = provider({
  type: 44,
  id: 'mokaai',
  name: 'MokaAI',
  base_url: 'https://api.moka.ai',
  models: [],
  fields: {
    key: { label: 'API key', required: true },
  },
})
