// Findings that need attention, most urgent first, each with its remedy.
import type { Feature } from '../feature.ts'
import { attentionContract } from './contract.ts'
import { createAttentionHandlers, type AttentionPorts } from './handlers.ts'
import { createAttentionJobs } from './jobs.ts'

export const attentionFeature: Feature<AttentionPorts, typeof attentionContract> = {
  contract: attentionContract,
  handlers: createAttentionHandlers,
  jobs: createAttentionJobs,
}
