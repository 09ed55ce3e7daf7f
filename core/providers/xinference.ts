// Xinference: models on your own servers; a key is optional.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiCompletions } from '../dialects/openai-completions/index.ts'
import { openaiDoors } from './openai-doors.ts'
import { provider } from './provider.ts'

export const xinference = provider({
  type: 47,
  id: 'xinference',
  name: 'Xinference',
  base_url: '',
  models: [],
  chat: [
    { dialect: openaiChat, path: '/v1/chat/completions' },
    { dialect: openaiCompletions, path: '/v1/completions' },
  ],
  ...openaiDoors,
  models_path: '/v1/models',
  needs_key: false,
  fields: { base_url: { label: 'Address', placeholder: 'http://localhost:9997', required: true } },
})
