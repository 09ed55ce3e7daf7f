import type { Slice } from '../contract/page.ts'
import type { Channel, KeyedChannel } from './channel.ts'

export type NewChannel = Omit<
  KeyedChannel,
  'id' | 'used_quota' | 'response_time' | 'balance' | 'balance_updated_time' | 'test_time'
>
export type ChannelPatch = Partial<Omit<KeyedChannel, 'id' | 'used_quota' | 'created_time'>>

/** Keys are encrypted at rest. Lists carry no key. */
export interface ChannelStore {
  insert(channels: NewChannel[]): Promise<Channel[]>
  find(id: number): Promise<KeyedChannel | null>
  /** Every channel with its key: what the channel index is built from. */
  all(): Promise<KeyedChannel[]>
  /** By priority, highest first, or newest first with `idSort`. */
  list(slice: Slice, order: { idSort: boolean }): Promise<Channel[]>
  /** `keyword`: id, part of the name, or the whole key; `group`: member of the list; `model`: part of the model list. */
  search(query: { keyword: string; group: string; model: string }, order: { idSort: boolean }): Promise<Channel[]>
  update(id: number, patch: ChannelPatch): Promise<void>
  delete(id: number): Promise<void>
}
