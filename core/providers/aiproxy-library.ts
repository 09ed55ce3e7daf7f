// AI Proxy's knowledge bases: a format of their own, which is not spoken here.
import { provider } from './provider.ts'

export const aiproxyLibrary = provider({
  type: 21,
  id: 'aiproxy-library',
  name: 'AI Proxy knowledge base',
  base_url: 'https://api.aiproxy.io',
  models: [],
  fields: {
    key: { label: 'API key', required: true },
    other: { label: 'Knowledge base id', required: true },
  },
})
