// Timers of attention.
import type { BackgroundJob } from '../jobs.ts'
import type { HostWatch } from './host-watch.ts'

const LOOK_MS = 10_000

export const createAttentionJobs = ({ hostWatch }: { hostWatch: Pick<HostWatch, 'look'> }): BackgroundJob[] => [
  { name: 'look after the process', every_ms: LOOK_MS, run: hostWatch.look },
]
