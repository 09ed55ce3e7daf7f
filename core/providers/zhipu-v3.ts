// Zhipu ChatGLM (v3): that interface is gone. Channels of this type go to the one of today, which still takes the token
// that keys of that time sign for themselves.
import { provider } from './provider.ts'
import { zhipu } from './zhipu.ts'

export const zhipuV3 = provider({
  ...zhipu,
  type: 16,
  id: 'zhipu-v3',
  name: 'Zhipu ChatGLM (v3)',
  models: [],
  hasKeyForm: (key) => /^[^.\s]+\.\S+$/.test(key),
  retired: 'type 26 (Zhipu GLM)',
  authorize: async ({ key }, _, { signer }) => ({ authorization: `Bearer ${await signer.zhipu(key)}` }),
})
