// Coze: bots of the account, one for each channel; a model's name is only a label. Outside China: https://api.coze.com.
import { words } from '../errors.ts'
import { cozeChatDialect } from '../dialects/provider-only/coze-chat.ts'
import { requireOther, provider } from './provider.ts'

const BOT = words('Bot id')

export const coze = provider({
  type: 49,
  id: 'coze',
  name: 'Coze',
  base_url: 'https://api.coze.cn',
  chat: [
    {
      dialect: cozeChatDialect,
      path: '/v3/chat',
      adapt: (_, __, ___, channel) => ({ defaults: { bot_id: requireOther(channel, BOT) } }),
    },
  ],
  fields: {
    key: { label: words('Access token'), placeholder: 'pat_...', required: true },
    other: { label: BOT, help: words('Of the bot that answers'), required: true },
  },
})
