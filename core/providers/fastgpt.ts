// FastGPT: apps of the account; the key (fastgpt-..., or APIKey-AppId) chooses the app, whatever the model's name.
import { words } from '../errors.ts'
import { createOpenaiEndpoints } from './openai-endpoints.ts'
import { provider } from './provider.ts'

export const fastgpt = provider({
  type: 22,
  id: 'fastgpt',
  name: 'FastGPT',
  base_url: 'https://fastgpt.run/api/openapi',
  thoughts: 'by_model',
  hasKeyForm: (key) => /^[^\s-]+-\S+$/.test(key),
  ...createOpenaiEndpoints('chat'),
  fields: {
    key: { label: words('App key'), placeholder: 'fastgpt-..., or APIKey-AppId', required: true },
    base_url: {
      label: words('Address of your deployment'),
      placeholder: 'https://host/api',
    },
  },
})
