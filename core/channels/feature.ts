// Channels: the operator's connections to providers, which calls are routed to.
import { feature } from '../feature.ts'
import { channels } from './contract.ts'
import { createChannelHandlers } from './handlers.ts'
import { createChannelJobs } from './jobs.ts'

export const channelsFeature = feature({
  contract: channels,
  handlers: createChannelHandlers,
  jobs: createChannelJobs,
  sinks: ({ hours }) => [hours.sink],
})
