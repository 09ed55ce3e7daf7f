// A provider that answers offline, deterministically and with honest usage: for trying Weir out and for tests.
import { midjourneyProxy } from '../dialects/tasks/midjourney/index.ts'
import { openaiVideosTasks } from '../dialects/tasks/openai-videos.ts'
import { sunoTasks } from '../dialects/tasks/suno.ts'
import { openaiDoors } from './openai-doors.ts'
import { provider } from './provider.ts'
import { answer } from './sandbox/answer.ts'

export const sandbox = provider({
  type: 1000,
  id: 'sandbox',
  name: 'Sandbox (answers offline)',
  thoughts: 'takes',
  base_url: 'http://sandbox.invalid', // a name that never resolves: nothing leaves this machine
  models: ['sandbox-small', 'sandbox-large', 'mj_imagine', 'suno_music', 'sandbox-film'],
  needs_key: false,
  authorize: () => ({}),
  ...openaiDoors('chat', 'embeddings', 'moderations', 'rerank', 'images'),
  tasks: [{ dialect: midjourneyProxy }, { dialect: sunoTasks }, { dialect: openaiVideosTasks }],
  answer,
})
