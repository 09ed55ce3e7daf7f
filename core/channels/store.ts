import type { Order, Page, Slice } from '../contract/page.ts'
import type { Edit } from '../contract/version.ts'
import type { Channel, KeyedChannel } from './channel.ts'

export type NewChannel = Omit<
  KeyedChannel,
  'id' | 'version' | 'used_quota' | 'response_time' | 'balance' | 'balance_updated_time' | 'test_time'
>
export type ChannelChange = Partial<Omit<KeyedChannel, 'id' | 'version' | 'used_quota' | 'created_time'>>

/** What several channels may have in common; what is encrypted belongs to one of them. */
export type SharedChannelPatch = Omit<ChannelChange, 'key' | 'setting'>

/** Which channels: by id, by tag, or by status. */
export type ChannelChoice = { ids: number[] } | { tag: string } | { statuses: number[] }

/** Keys are encrypted at rest. Lists carry no key. */
export interface ChannelStore {
  insert(channels: NewChannel[]): Promise<Channel[]>
  find(id: number): Promise<KeyedChannel | null>
  /** Every channel with its key: what the channel index is built from. */
  all(): Promise<KeyedChannel[]>
  /** By priority, highest first, where nothing else is asked for. */
  list(slice: Slice): Promise<Page<Channel>>
  /** `keyword`: id, part of the name, or the whole key; `group`: member of the list; `model`: part of the model list. */
  search(query: { keyword: string; group: string; model: string }, order: Order): Promise<Channel[]>
  /** Tags in use, sorted. */
  tags(slice: Slice): Promise<string[]>
  /** Every channel with one of these tags. */
  ofTags(tags: string[], order: Order): Promise<Channel[]>
  /** @throws GatewayError edit.conflict where another version is stored than was read */
  update(id: number, patch: ChannelChange, edit?: Edit): Promise<void>
  /** The same change of several, in one statement; gives how many there were. */
  updateMany(which: ChannelChoice, patch: SharedChannelPatch, edit: Pick<Edit, 'raises'>): Promise<number>
  /** Gives how many there were. */
  deleteMany(which: ChannelChoice): Promise<number>
}
