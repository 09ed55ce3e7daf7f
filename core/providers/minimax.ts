// MiniMax: errors may have status 200; outside China the address is https://api.minimax.io. The formats follow
// https://platform.minimaxi.com/docs/api-reference/ text-openai-api, responses-create and text-anthropic-api.
import { minimaxSpeechFormat } from '../dialects/media/minimax-audio.ts'
import { minimaxEmbeddingFormat } from '../dialects/embeddings/other-embeddings.ts'
import { h3Tasks } from '../dialects/tasks/minimax/h3.ts'
import { hailuoFilmTasks } from '../dialects/tasks/minimax/hailuo.ts'
import { createAnthropicEndpoint } from './anthropic.ts'
import { createOpenaiEndpoint } from './openai-endpoints.ts'
import { names, provider } from './provider.ts'

const isH3 = (model: string): boolean => /^minimax-h\d/i.test(model)
const isFilm = (model: string): boolean => /hailuo|^[tis]2v-/i.test(model)

export const minimax = provider({
  type: 35,
  id: 'minimax',
  name: 'MiniMax',
  base_url: 'https://api.minimaxi.com',
  thoughts: 'takes',
  models: names(`
    MiniMax-M3, MiniMax-M2.7, MiniMax-M2.7-highspeed, MiniMax-M2.5, MiniMax-M2.5-highspeed, MiniMax-M2.1,
    MiniMax-M2, MiniMax-H3, MiniMax-Hailuo-2.3, MiniMax-Hailuo-2.3-Fast, MiniMax-Hailuo-02,
    speech-2.8-hd, speech-2.8-turbo, speech-2.6-hd, speech-2.6-turbo, embo-01
  `),
  env: 'MINIMAX_API_KEY',
  chat: [
    createOpenaiEndpoint('chat'),
    createOpenaiEndpoint('responses'),
    createAnthropicEndpoint('/anthropic/v1/messages'),
  ],
  speech: [{ dialect: minimaxSpeechFormat, path: '/v1/t2a_v2' }],
  embeddings: [{ dialect: minimaxEmbeddingFormat, path: '/v1/embeddings' }],
  tasks: [
    { dialect: h3Tasks, serves: isH3 },
    { dialect: hailuoFilmTasks, serves: (model) => !isH3(model) && isFilm(model) },
  ],
  models_path: '/v1/models',
})
