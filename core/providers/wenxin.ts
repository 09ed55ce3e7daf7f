// Baidu Wenxin: the first version of its API, whose format is not spoken here; type 46 is the one of today.
import { provider } from './provider.ts'

export const wenxin = provider({
  type: 15,
  id: 'wenxin',
  name: 'Baidu Wenxin (v1)',
  base_url: 'https://aip.baidubce.com',
  models: [],
  fields: {
    key: { label: 'Key', placeholder: 'APIKey|SecretKey', required: true },
  },
})
