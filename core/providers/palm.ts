// Google PaLM2: that service is gone. Its keys are Gemini's, so channels of this type go there.
import { gemini } from './gemini.ts'
import { provider } from './provider.ts'

export const palm = provider({
  ...gemini,
  type: 11,
  id: 'palm',
  name: 'Google PaLM2',
  models: [],
  retired: 'type 24 (Google Gemini)',
})
