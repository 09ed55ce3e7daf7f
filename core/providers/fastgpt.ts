// FastGPT: apps of one's own; the key (fastgpt-..., or APIKey-AppId) chooses the app, whatever the model's name.
import { openaiDoors } from './openai-doors.ts'
import { provider } from './provider.ts'

export const fastgpt = provider({
  type: 22,
  id: 'fastgpt',
  name: 'FastGPT',
  base_url: 'https://fastgpt.run/api/openapi',
  models: [],
  ...openaiDoors('chat'),
  fields: {
    key: { label: 'App key', placeholder: 'fastgpt-..., or APIKey-AppId', required: true },
    base_url: { label: 'Address of a deployment of your own', placeholder: 'https://host/api' },
  },
})
