// Channels: the operator's connections to providers, which calls are routed to.
import type { Feature } from '../feature.ts'
import { channelsContract } from './contract.ts'
import { createChannelHandlers, type ChannelPorts } from './handlers.ts'
import { createChannelJobs } from './jobs.ts'

export const channelsFeature: Feature<ChannelPorts, typeof channelsContract> = {
  contract: channelsContract,
  handlers: createChannelHandlers,
  jobs: createChannelJobs,
  sinks: ({ hours }) => [hours.sink],
}
