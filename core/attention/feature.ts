// Findings that need attention, most urgent first, each with its remedy.
import type { Feature } from '../feature.ts'
import type { BackgroundJob } from '../jobs.ts'
import { attentionContract } from './contract.ts'
import { type AttentionPorts, createAttentionHandlers } from './handlers.ts'
import type { HostWatch } from './host-watch.ts'

// Timers of attention.

const LOOK_MS = 10_000

const createAttentionJobs = ({ hostWatch }: { hostWatch: Pick<HostWatch, 'look'> }): BackgroundJob[] => [
  { name: 'look after the process', every_ms: LOOK_MS, run: hostWatch.look },
]

export const attentionFeature: Feature<AttentionPorts, typeof attentionContract> = {
  contract: attentionContract,
  handlers: createAttentionHandlers,
  jobs: createAttentionJobs,
}
