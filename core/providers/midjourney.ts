// Midjourney Proxy: drawings, which are tasks and no calls.
import { words } from '../errors.ts'
import { provider } from './provider.ts'

export const midjourney = provider({
  type: 2,
  id: 'midjourney-proxy',
  name: 'Midjourney Proxy',
  base_url: 'https://oa.api2d.net',
  models: ['mj_imagine', 'mj_variation', 'mj_reroll', 'mj_blend', 'mj_upscale', 'mj_describe', 'mj_upload'],
  fields: {
    key: { label: words('Secret', '密钥'), required: true },
  },
})
