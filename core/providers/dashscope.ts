// Ali Tongyi: Qwen, at the compatible endpoint of DashScope; outside China: https://dashscope-intl.aliyuncs.com. Other
// formats as at https://help.aliyun.com/zh/model-studio/ compatibility-with-openai-responses-api and anthropic-api-messages.
import { words } from '../errors.ts'
import { dashscopeImageFormat, dashscopeImagesLater, isPromptMessage } from '../dialects/media/dashscope-images.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { wanFilmTasks } from '../dialects/tasks/wan.ts'
import { createAnthropicEndpoint } from './anthropic.ts'
import { createOpenaiEndpoint, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, bearer, names, provider } from './provider.ts'

/** Models that are served as Responses. */
const ANSWERS = /^qwen(?:-plus|-flash|3-max|3-coder|3\.[5-9]|[4-9])/

const PICTURES = { dialect: dashscopeImageFormat, later: dashscopeImagesLater }

export const dashscope = provider({
  type: 17,
  id: 'ali',
  name: 'Ali Tongyi',
  base_url: 'https://dashscope.aliyuncs.com',
  thoughts: 'by_model',
  models: names(`
    qwen-plus, qwen-max, qwen-flash, qwen-turbo, qwen-vl-max, qwen-vl-plus, wan3.0-video, wan2.7-t2v, wan2.7-i2v,
    wan2.7-r2v, wan2.6-t2v, wan2.6-i2v, qwen-image-plus, wan2.1-t2i-turbo, wan2.1-t2i-plus
  `),
  env: 'DASHSCOPE_API_KEY',
  chat: [
    createOpenaiEndpoint('chat', { at: '/compatible-mode/v1' }),
    {
      dialect: openaiResponses,
      path: '/api/v2/apps/protocols/compatible-mode/v1/responses',
      serves: (model) => ANSWERS.test(model),
    },
    createAnthropicEndpoint('/apps/anthropic/v1/messages'),
  ],
  ...createOpenaiEndpoints('embeddings', { at: '/compatible-mode/v1' }),
  images: [
    { ...PICTURES, path: '/api/v1/services/aigc/image-generation/generation', serves: isPromptMessage },
    { ...PICTURES, path: '/api/v1/services/aigc/text2image/image-synthesis' },
  ],
  tasks: [{ dialect: wanFilmTasks, serves: (model) => model.startsWith('wan') }],
  models_path: '/compatible-mode/v1/models',
  authorize: (channel) => ({
    ...bearer(channel),
    ...(channel.other ? { 'x-dashscope-plugin': channel.other } : {}),
  }),
  fields: {
    key: { label: API_KEY_LABEL, placeholder: 'sk-...', required: true },
    other: {
      label: words('Plugins'),
      help: words('JSON, sent as X-DashScope-Plugin'),
      placeholder: '{"calculator":{}}',
    },
  },
})
