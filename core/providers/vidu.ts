// Vidu: video, which is tasks and no calls. Inside China: https://api.vidu.cn. As https://platform.vidu.com/docs says.
import { API_KEY, provider } from './provider.ts'

export const vidu = provider({
  type: 52,
  id: 'vidu',
  name: 'Vidu',
  base_url: 'https://api.vidu.com',
  models: [],
  env: 'VIDU_API_KEY',
  authorize: ({ key }) => ({ authorization: `Token ${key}` }),
  fields: { key: { label: API_KEY, placeholder: 'vda_...', required: true } },
})
