// xAI: Grok; its usage counts reasoning separately from the answer.
import { adaptEffort } from './effort-names.ts'
import { createOpenaiEndpoint } from './openai-endpoints.ts'
import { API_KEY_LABEL, names, provider } from './provider.ts'

/** OpenAI's words for pictures that xAI has others for. */
const REFUSED = ['size', 'quality', 'style']

export const xai = provider({
  type: 48,
  id: 'xai',
  name: 'xAI',
  base_url: 'https://api.x.ai',
  thoughts: 'refuses',
  models: names(`
    grok-4.5, grok-4.5-latest, grok-4.3, grok-4.3-latest, grok-4.20-0309-reasoning,
    grok-4.20-0309-non-reasoning, grok-build-0.1, grok-4-1-fast-reasoning, grok-4-1-fast-non-reasoning, grok-4,
    grok-code-fast-1, grok-3, grok-3-mini
  `),
  env: 'XAI_API_KEY',
  chat: [
    createOpenaiEndpoint('chat', { adapt: adaptEffort }),
    createOpenaiEndpoint('responses', { adapt: adaptEffort }),
  ],
  images: [
    createOpenaiEndpoint('images', { refuses: REFUSED }),
    createOpenaiEndpoint('image_edits', { refuses: REFUSED }),
  ],
  models_path: '/v1/models',
  fields: { key: { label: API_KEY_LABEL, placeholder: 'xai-...', required: true } },
})
