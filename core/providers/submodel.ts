// Submodel: open models. The address and the name of the key are as other programs have them; its own pages were not read.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { provider } from './provider.ts'

export const submodel = provider({
  type: 53,
  id: 'submodel',
  name: 'Submodel',
  base_url: 'https://llm.submodel.ai',
  models: [],
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions' }],
  models_path: '/v1/models',
  env: 'SUBMODEL_INSTAGEN_ACCESS_KEY',
})
