// Findings that need attention, most urgent first, each with its remedy.
import { feature } from '../feature.ts'
import { attention } from './contract.ts'
import { createAttentionHandlers } from './handlers.ts'
import { createAttentionJobs } from './jobs.ts'

export const attentionFeature = feature({
  contract: attention,
  handlers: createAttentionHandlers,
  jobs: createAttentionJobs,
})
