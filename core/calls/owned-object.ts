// A provider's object that an account created through this gateway: its owner, and its channel and key. The first
// account to get it owns it, and its id is closed to all others.
import type { ObjectKind } from '../dialects/requests/object-places.ts'

export interface OwnedObject {
  kind: ObjectKind
  id: string
  channel_id: number
  /** The fingerprint of the channel's key. */
  key: string
  /** The account that paid for it: a user's, or a team's. */
  account_id: number
  /** The user, the token (0 for none) and the model that it came from. */
  user_id: number
  token_id: number
  model: string
  /** The characters that the ids of an answer's items share with its own id; empty for other objects. */
  stem: string
  /** The ids of its items that do not, between spaces. */
  items: string
  /** Epoch ms. */
  created_at: number
  /** Expiry at its provider, in epoch ms; null if it is unknown. */
  expires_at: number | null
}

/** Items of one answer share the end of their ids with it, at providers that make them long. */
const STEM = 16
export const getItemStem = (id: string): string => {
  const own = id.slice(id.indexOf('_') + 1)
  return own.length > STEM ? own.slice(-STEM) : ''
}

/** Rows are written with the row of their call: see `LedgerWrite`. */
export interface OwnedObjectStore {
  /** Returns those of these objects that have not expired at `now` (epoch ms), of any owner. */
  find(objects: readonly Pick<OwnedObject, 'kind' | 'id'>[], now: number): Promise<OwnedObject[]>
  /** The answer of an account that an item belongs to. */
  findOfItem(accountId: number, item: { id: string; stem: string }, now: number): Promise<OwnedObject | undefined>
  remove(object: Pick<OwnedObject, 'kind' | 'id'>): Promise<void>
  /** Removes what has ended before then, in epoch ms. */
  forget(before: number): Promise<void>
}
