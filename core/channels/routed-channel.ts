// A channel as calls are sent to it.
import { ChannelSetting, type KeyedChannel } from './channel.ts'
import type { ChannelKey } from './keys.ts'

/** A channel as calls use it: its lists and JSON texts read once. */
export interface RoutedChannel extends KeyedChannel {
  model_names: string[]
  groups: string[]
  mapping: Record<string, string>
  status_mapping: Record<string, number>
  override: Record<string, unknown>
  settings: ChannelSetting
  /** Each key with the channel that has only it; of a channel with one key, that is the channel itself. */
  keys: readonly ChannelKey<RoutedChannel>[]
}
