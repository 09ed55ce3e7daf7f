// What operators make of providers: calls go to channels.
import { feature } from '../feature.ts'
import { channels } from './contract.ts'
import { createChannelHandlers } from './handlers.ts'
import { createChannelJobs } from './jobs.ts'
import type { ChannelStore } from './store.ts'

export const channelsFeature = feature({ contract: channels, handlers: createChannelHandlers, jobs: createChannelJobs })

declare module '../ports/storage.ts' {
  interface ChangeStores {
    channels: ChannelStore
  }
}
