// Channels: the operator's connections to providers, which calls are routed to.
import { feature } from '../feature.ts'
import type { ChannelHourStore } from './channel-hours.ts'
import { channels } from './contract.ts'
import { createChannelHandlers } from './handlers.ts'
import { createChannelJobs } from './jobs.ts'
import type { ChannelStore } from './store.ts'
import type { ChannelTestStore } from './test-outcome.ts'

export const channelsFeature = feature({
  contract: channels,
  handlers: createChannelHandlers,
  jobs: createChannelJobs,
  sinks: ({ hours }) => [hours.sink],
})

declare module '../ports/storage.ts' {
  interface ChangeStores {
    channels: ChannelStore
  }
  interface Storage {
    channelHours: ChannelHourStore
    channelTests: ChannelTestStore
  }
}
