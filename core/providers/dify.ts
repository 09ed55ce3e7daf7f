// Dify: apps of the account (chat, chatflow, agent), one for each key; a model's name is only a label.
import { words } from '../errors.ts'
import { difyChatDialect } from '../dialects/provider-only/dify-chat.ts'
import { provider } from './provider.ts'

export const dify = provider({
  type: 37,
  id: 'dify',
  name: 'Dify',
  base_url: 'https://api.dify.ai',
  chat: [{ dialect: difyChatDialect, path: '/v1/chat-messages' }],
  fields: {
    key: { label: words('App key'), placeholder: 'app-...', required: true },
    base_url: {
      label: words('Address of your deployment'),
      placeholder: 'https://api.dify.ai',
    },
  },
})
