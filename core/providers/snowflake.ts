// Snowflake Cortex: the models of an account of one's own.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { provider } from './provider.ts'

export const snowflake = provider({
  type: 1010,
  id: 'snowflake',
  name: 'Snowflake Cortex',
  base_url: '',
  models: [],
  chat: [{ dialect: openaiChat, path: '/api/v2/cortex/v1/chat/completions' }],
  fields: { base_url: { label: 'Account', placeholder: 'https://my-account.snowflakecomputing.com', required: true } },
})
