import type { Order, Page, Slice } from '../contract/page.ts'
import type { Edit } from '../contract/version.ts'
import type { Channel, KeyedChannel } from './channel.ts'

export type NewChannel = Omit<
  KeyedChannel,
  'slug' | 'id' | 'version' | 'used_quota' | 'response_time' | 'balance' | 'balance_updated_time' | 'test_time'
> & {
  slug?: string
  /** Its number, where it has one already. */
  id?: number
}
export type ChannelChange = Partial<Omit<KeyedChannel, 'id' | 'slug' | 'version' | 'used_quota' | 'created_time'>>

/** What several channels may have in common; what is encrypted belongs to one of them. */
export type SharedChannelPatch = Omit<ChannelChange, 'key' | 'setting'>

/** Which channels: by id, by tag, or by status. */
export type ChannelChoice = { ids: number[] } | { tag: string } | { statuses: number[] }

/** What channels are narrowed down by; 0 and the empty text narrow nothing. */
export interface ChannelFilter {
  /** Id, part of the name, or the whole key. */
  keyword?: string
  status?: number
  type?: number
  tag?: string
  /** Member of the list. */
  group?: string
  /** Part of the model list. */
  model?: string
}

export type ChannelBalance = Pick<Channel, 'id' | 'status' | 'balance' | 'balance_updated_time'>

/** Keys are encrypted at rest. Lists carry no key. */
export interface ChannelStore {
  /** One that says no slug gets one that reads like its name. */
  insert(channels: NewChannel[]): Promise<Channel[]>
  find(id: number): Promise<KeyedChannel | null>
  /** Until the transaction ends nobody else changes this channel. */
  lock(id: number): Promise<void>
  /** Adds to channels what was charged through them since the last time. Whoever reads channels finds it added. */
  addCharges(): Promise<void>
  /** Every channel with its key: what the channel index is built from. */
  all(): Promise<KeyedChannel[]>
  /** What every channel's provider told last of its balance, without anything sealed. */
  balances(): Promise<ChannelBalance[]>
  /** By priority, highest first, where nothing else is asked for. */
  list(slice: Slice, filter?: ChannelFilter): Promise<Page<Channel>>
  search(filter: ChannelFilter, order: Order): Promise<Channel[]>
  /** Tags in use, sorted; the empty one last, where channels have none. */
  tags(filter?: ChannelFilter): Promise<string[]>
  /** The channels with one of these tags; the empty one stands for none. */
  ofTags(tags: string[], order: Order, filter?: ChannelFilter): Promise<Channel[]>
  /** @throws GatewayError edit.conflict where another version is stored than was read */
  update(id: number, patch: ChannelChange, edit?: Edit): Promise<void>
  /** The same change of several, in one statement; gives how many there were. */
  updateMany(which: ChannelChoice, patch: SharedChannelPatch, edit: Pick<Edit, 'raises'>): Promise<number>
  /** Gives how many there were. */
  deleteMany(which: ChannelChoice): Promise<number>
}
