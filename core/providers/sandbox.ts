// A provider that answers offline, deterministically and with honest usage: for trying Weir out and for tests.
import { midjourneyProxyTasks } from '../dialects/tasks/midjourney/index.ts'
import { openaiVideosTasks } from '../dialects/tasks/openai-videos.ts'
import { sunoMusicTasks } from '../dialects/tasks/suno.ts'
import { createOpenaiEndpoints } from './openai-endpoints.ts'
import { provider } from './provider.ts'
import { answerSandboxRequest } from './sandbox/answer.ts'

export const sandbox = provider({
  type: 1000,
  id: 'sandbox',
  name: 'Sandbox (answers offline)',
  thoughts: 'takes',
  base_url: 'http://sandbox.invalid', // a name that never resolves: nothing leaves this machine
  models: ['sandbox-small', 'sandbox-large', 'mj_imagine', 'suno_music', 'sandbox-film'],
  needs_key: false,
  authorize: () => ({}),
  ...createOpenaiEndpoints('chat', 'embeddings', 'moderations', 'rerank', 'images'),
  tasks: [{ dialect: midjourneyProxyTasks }, { dialect: sunoMusicTasks }, { dialect: openaiVideosTasks }],
  answer: answerSandboxRequest,
})
