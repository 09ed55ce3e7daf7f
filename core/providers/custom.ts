// Custom (full URL): any address that speaks this format, used as it is.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { provider } from './provider.ts'

export const custom = provider({
  type: 8,
  id: 'custom',
  name: 'Custom (full URL)',
  base_url: '',
  models: [],
  chat: [{ dialect: openaiChat, path: (base, model) => base.replaceAll('{model}', encodeURIComponent(model)) }],
  fields: {
    base_url: { label: 'Full URL; {model} is replaced', placeholder: 'https://host/path/{model}', required: true },
  },
})
