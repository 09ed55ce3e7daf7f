// Coze: bots, in a format that is not spoken here yet; outside China the address is https://api.coze.com.
import { provider } from './provider.ts'

export const coze = provider({
  type: 49,
  id: 'coze',
  name: 'Coze',
  base_url: 'https://api.coze.cn',
  models: [],
  fields: {
    key: { label: 'Access token', placeholder: 'pat_...', required: true },
    other: { label: 'Bot id', required: true },
  },
})
