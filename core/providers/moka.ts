// MokaAI: embeddings only. Its address no longer responds.
import { openaiDoors } from './openai-doors.ts'
import { API_KEY, provider } from './provider.ts'

export const moka = provider({
  type: 44,
  id: 'mokaai',
  name: 'MokaAI',
  base_url: 'https://api.moka.ai',
  models: [],
  retired: 'type 38 (Jina) or type 40 (SiliconFlow)',
  ...openaiDoors('embeddings', { at: '' }),
  fields: {
    key: { label: API_KEY, required: true },
  },
})
