// Midjourney Proxy: drawings, as asynchronous tasks.
import { NO_ACCOUNT_CODE } from '../dialects/tasks/midjourney/codes.ts'
import { midjourneyProxyTasks, midjourneyProxyPlus } from '../dialects/tasks/midjourney/index.ts'
import { words } from '../errors.ts'
import { provider } from './provider.ts'

export const midjourney = provider({
  type: 2,
  id: 'midjourney-proxy',
  name: 'Midjourney Proxy',
  base_url: 'https://oa.api2d.net',
  models: ['mj_imagine', 'mj_variation', 'mj_reroll', 'mj_blend', 'mj_upscale', 'mj_describe', 'mj_upload'],
  authorize: ({ key }) => ({ 'mj-api-secret': key }),
  tasks: [{ dialect: midjourneyProxyTasks }],
  untestable: true,
  // Drawings fail until an account is added there.
  accountFailed: ({ code }) => code === NO_ACCOUNT_CODE,
  fields: {
    key: { label: words('Secret'), required: true },
  },
})

export const midjourneyPlus = provider({
  type: 5,
  id: 'midjourney-proxy-plus',
  name: 'Midjourney Proxy Plus',
  base_url: 'https://api.openai-sb.com',
  models: [
    'swap_face',
    'mj_imagine',
    'mj_variation',
    'mj_reroll',
    'mj_blend',
    'mj_upscale',
    'mj_describe',
    'mj_zoom',
    'mj_shorten',
    'mj_modal',
    'mj_inpaint',
    'mj_custom_zoom',
    'mj_high_variation',
    'mj_low_variation',
    'mj_pan',
    'mj_upload',
  ],
  authorize: ({ key }) => ({ 'mj-api-secret': key }),
  tasks: [{ dialect: midjourneyProxyPlus }],
  untestable: true,
  // Drawings fail until an account is added there.
  accountFailed: ({ code }) => code === NO_ACCOUNT_CODE,
  fields: {
    key: { label: words('Secret'), required: true },
  },
})
