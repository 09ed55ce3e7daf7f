// AI Proxy's knowledge bases: one for each channel.
import { libraryAsk } from '../dialects/provider-only/library-ask.ts'
import { needed, provider } from './provider.ts'

const LIBRARY = 'Knowledge base id'

export const aiproxyLibrary = provider({
  type: 21,
  id: 'aiproxy-library',
  name: 'AI Proxy knowledge base',
  base_url: 'https://api.aiproxy.io',
  models: [],
  chat: [
    {
      dialect: libraryAsk,
      path: '/api/library/ask',
      adapt: (_, __, ___, channel) => ({ defaults: { libraryId: needed(channel, LIBRARY) } }),
    },
  ],
  fields: {
    key: { label: 'API key', required: true },
    other: { label: LIBRARY, required: true },
  },
})
