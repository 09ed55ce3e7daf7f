// Coze: bots of one's own, one for each channel; a model's name is only a label. Outside China: https://api.coze.com.
import { cozeChat } from '../dialects/provider-only/coze-chat.ts'
import { needed, provider } from './provider.ts'

const BOT = 'Bot id'

export const coze = provider({
  type: 49,
  id: 'coze',
  name: 'Coze',
  base_url: 'https://api.coze.cn',
  models: [],
  chat: [
    {
      dialect: cozeChat,
      path: '/v3/chat',
      adapt: (_, __, ___, channel) => ({ defaults: { bot_id: needed(channel, BOT) } }),
    },
  ],
  fields: {
    key: { label: 'Access token', placeholder: 'pat_...', required: true },
    other: { label: BOT, required: true },
  },
})
