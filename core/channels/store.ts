import type { ListOrder, RowPage, ListSlice } from '../contract/page.ts'
import type { PersonalEdit } from '../contract/version.ts'
import type { Channel, ChannelWithKey } from './channel.ts'

export type NewChannel = Omit<
  ChannelWithKey,
  'slug' | 'id' | 'version' | 'used_quota' | 'response_time' | 'balance' | 'balance_updated_time' | 'test_time'
> & {
  slug?: string
  /** Its id, if it is already assigned. */
  id?: number
}
export type ChannelChange = Partial<Omit<ChannelWithKey, 'id' | 'slug' | 'version' | 'used_quota' | 'created_time'>>

/** The fields that several channels can be given at once. Encrypted ones belong to a single channel. */
export type SharedChannelPatch = Omit<ChannelChange, 'key' | 'setting'>

/** A selection of channels: by id, by tag, or by status. */
export type ChannelSelection = { ids: number[] } | { tag: string } | { statuses: number[] }

/** A filter of channels; 0 and the empty text filter nothing. */
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
  /** Inserts channels. One without a slug gets one derived from its name. */
  insert(channels: NewChannel[]): Promise<Channel[]>
  find(id: number): Promise<ChannelWithKey | null>
  /** Locks the channel against other changes until the transaction ends. */
  lock(id: number): Promise<void>
  /** Adds the charges since the last run to their channels, so that a later read includes them. */
  addCharges(): Promise<void>
  /** Every channel with its key: what the channel index is built from. */
  all(): Promise<ChannelWithKey[]>
  /** Returns the last balance that every channel's provider reported, without decrypting anything. */
  balances(): Promise<ChannelBalance[]>
  /** Lists channels, by default by priority, highest first. */
  list(slice: ListSlice, filter?: ChannelFilter): Promise<RowPage<Channel>>
  search(filter: ChannelFilter, order: ListOrder): Promise<Channel[]>
  /** Tags in use, sorted; the empty one last, where channels have none. */
  tags(filter?: ChannelFilter): Promise<string[]>
  /** Returns the channels with one of these tags; the empty tag means none. */
  ofTags(tags: string[], order: ListOrder, filter?: ChannelFilter): Promise<Channel[]>
  /** @throws GatewayError edit.conflict where another version is stored than was read */
  update(id: number, patch: ChannelChange, edit?: PersonalEdit): Promise<void>
  /** The same change of several, in one statement; gives how many there were. */
  updateMany(which: ChannelSelection, patch: SharedChannelPatch, edit: Pick<PersonalEdit, 'raises'>): Promise<number>
  /** Gives how many there were. */
  deleteMany(which: ChannelSelection): Promise<number>
}
