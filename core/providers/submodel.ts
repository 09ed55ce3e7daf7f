// Submodel: open models. The address and the name of the key are as other programs have them; its own pages were not read.
import { createOpenaiEndpoints } from './openai-endpoints.ts'
import { provider } from './provider.ts'

export const submodel = provider({
  type: 53,
  id: 'submodel',
  name: 'Submodel',
  base_url: 'https://llm.submodel.ai',
  thoughts: 'by_model',
  ...createOpenaiEndpoints('chat'),
  models_path: '/v1/models',
  env: 'SUBMODEL_INSTAGEN_ACCESS_KEY',
})
