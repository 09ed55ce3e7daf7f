// Databricks: the serving endpoints of a workspace; a model's name is that of its endpoint. Claude also in Anthropic's
// format: https://docs.databricks.com/aws/en/machine-learning/model-serving/query-anthropic-messages.
import { words } from '../errors.ts'
import { anthropicMessages } from '../dialects/anthropic-messages/index.ts'
import { claudeVersion } from '../dialects/anthropic-messages/thinking.ts'
import { adaptClaude } from './anthropic.ts'
import { databricksWords } from './claude-words.data.ts'
import { openaiDoor, openaiDoors } from './openai-doors.ts'
import { provider } from './provider.ts'

export const databricks = provider({
  type: 1009,
  id: 'databricks',
  name: 'Databricks',
  base_url: '',
  thoughts: 'refuses',
  models: [],
  chat: [
    openaiDoor('chat', { at: '/serving-endpoints' }),
    {
      dialect: anthropicMessages,
      path: '/serving-endpoints/anthropic/v1/messages',
      serves: (model) => claudeVersion(model) !== undefined,
      adapt: adaptClaude,
      takes: databricksWords,
    },
  ],
  ...openaiDoors('embeddings', { at: '/serving-endpoints' }),
  env: 'DATABRICKS_TOKEN',
  fields: {
    base_url: {
      label: words('Workspace'),
      placeholder: 'https://adb-1.azuredatabricks.net',
      required: true,
    },
  },
})
