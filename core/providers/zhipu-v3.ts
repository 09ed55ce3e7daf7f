// Zhipu ChatGLM (v3): a discontinued interface. Channels of this type use the current one, which still accepts the
// tokens that are signed with keys of that version.
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
