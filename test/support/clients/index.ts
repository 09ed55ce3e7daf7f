// Every client library that the tests know.
import { aiSdkClients } from './ai-sdk.ts'
import { anthropicClient } from './anthropic.ts'
import type { Client } from './client.ts'
import { googleClient } from './google.ts'
import { langchainClients } from './langchain.ts'
import { openaiChatClient, openaiResponsesClient } from './openai.ts'

export const clients: Client[] = [
  openaiChatClient,
  openaiResponsesClient,
  anthropicClient,
  googleClient,
  ...aiSdkClients,
  ...langchainClients,
]
