// Dify: apps of one's own, one for each key, in a format that is not spoken here yet.
import { provider } from './provider.ts'

export const dify = provider({
  type: 37,
  id: 'dify',
  name: 'Dify',
  base_url: 'https://api.dify.ai',
  models: [],
  fields: {
    key: { label: 'App key', placeholder: 'app-...', required: true },
    base_url: { label: 'Address of a deployment of your own', placeholder: 'https://api.dify.ai' },
  },
})
