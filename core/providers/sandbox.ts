// A provider that answers offline, deterministically and with honest usage: for trying Weir out and for tests.
import { openaiDoors } from './openai-doors.ts'
import { provider } from './provider.ts'
import { answer } from './sandbox/answer.ts'

export const sandbox = provider({
  type: 1000,
  id: 'sandbox',
  name: 'Sandbox (answers offline)',
  base_url: 'http://sandbox.invalid', // a name that never resolves: nothing leaves this machine
  models: ['sandbox-small', 'sandbox-large'],
  needs_key: false,
  authorize: () => ({}),
  ...openaiDoors('chat', 'embeddings', 'moderations', 'rerank', 'images'),
  answer,
})
