// Databricks: the serving endpoints of a workspace of one's own; a model's name is that of its endpoint.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiEmbeddings } from '../dialects/openai-embeddings.ts'
import { provider } from './provider.ts'

export const databricks = provider({
  type: 1009,
  id: 'databricks',
  name: 'Databricks',
  base_url: '',
  models: [],
  chat: [{ dialect: openaiChat, path: '/serving-endpoints/chat/completions' }],
  embeddings: [{ dialect: openaiEmbeddings, path: '/serving-endpoints/embeddings' }],
  env: 'DATABRICKS_TOKEN',
  fields: { base_url: { label: 'Workspace', placeholder: 'https://adb-1.azuredatabricks.net', required: true } },
})
