// Zhipu ChatGLM (v3): that interface is gone. Its keys are taken at the one of today, so channels of this type go there.
import { provider } from './provider.ts'
import { zhipu } from './zhipu.ts'

export const zhipuV3 = provider({
  ...zhipu,
  type: 16,
  id: 'zhipu-v3',
  name: 'Zhipu ChatGLM (v3)',
  models: [],
})
