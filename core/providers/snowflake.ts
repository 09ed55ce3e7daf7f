// Snowflake Cortex: the models of an account; Claude also in Anthropic's format, by
// https://docs.snowflake.com/en/user-guide/snowflake-cortex/cortex-rest-api.
import { words } from '../errors.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { parseClaudeVersion } from '../dialects/anthropic-messages/thinking.ts'
import { adaptClaude } from './anthropic.ts'
import { createOpenaiEndpoint } from './openai-endpoints.ts'
import { provider } from './provider.ts'

export const snowflake = provider({
  type: 1010,
  id: 'snowflake',
  name: 'Snowflake Cortex',
  base_url: '',
  thoughts: 'refuses',
  chat: [
    createOpenaiEndpoint('chat', { at: '/api/v2/cortex/v1' }),
    {
      dialect: anthropicMessages,
      path: '/api/v2/cortex/v1/messages',
      serves: (model) => parseClaudeVersion(model) !== undefined,
      adapt: adaptClaude,
    },
  ],
  fields: {
    base_url: {
      label: words('Account'),
      placeholder: 'https://my-account.snowflakecomputing.com',
      required: true,
    },
  },
})
