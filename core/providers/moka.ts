// MokaAI: embeddings only. Its address no longer responds.
import { createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider } from './provider.ts'

export const moka = provider({
  type: 44,
  id: 'mokaai',
  name: 'MokaAI',
  base_url: 'https://api.moka.ai',
  retired: 'type 38 (Jina) or type 40 (SiliconFlow)',
  ...createOpenaiEndpoints('embeddings', { at: '' }),
  fields: {
    key: { label: API_KEY_LABEL, required: true },
  },
})
