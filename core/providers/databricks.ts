// Databricks: the serving endpoints of a workspace; a model's name is that of its endpoint. Claude also in Anthropic's
// format: https://docs.databricks.com/aws/en/machine-learning/model-serving/query-anthropic-messages.
import { words } from '../errors.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { parseClaudeVersion } from '../dialects/anthropic-messages/thinking.ts'
import { adaptClaude } from './anthropic.ts'
import { databricksWords } from './claude-words.data.ts'
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { provider } from './provider.ts'

export const databricks = provider({
  type: 1009,
  id: 'databricks',
  name: 'Databricks',
  base_url: '',
  thoughts: 'refuses',
  chat: [
    createOpenaiEndpoint('chat', { at: '/serving-endpoints' }),
    {
      dialect: anthropicMessages,
      path: '/serving-endpoints/anthropic/v1/messages',
      serves: (model) => parseClaudeVersion(model) !== undefined,
      adapt: adaptClaude,
      takes: databricksWords,
    },
  ],
  ...createOpenaiEndpoints('embeddings', { at: '/serving-endpoints' }),
  env: 'DATABRICKS_TOKEN',
  fields: {
    base_url: {
      label: words('Workspace'),
      placeholder: 'https://adb-1.azuredatabricks.net',
      required: true,
    },
  },
})
