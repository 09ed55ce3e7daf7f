import type { BodyKey, StoredCallBody } from './stored-body.ts'

export interface NewBody {
  request_id: string
  user_id: number
  token_id: number
  /** Epoch seconds. */
  created_at: number
  /** Encrypted for the owner of the key, in base64. */
  sealed: string
}

export interface BodyLimits {
  /** Limits per user. */
  calls: number
  bytes: number
}

export interface BodyStore {
  key(userId: number): Promise<BodyKey | null>
  setKey(userId: number, key: BodyKey & { created_time: number }): Promise<void>
  /** Removes the user's key and all stored bodies. */
  removeOfUser(userId: number): Promise<void>
  /** Adds a body if the user still wants it for this key. Removes the user's oldest bodies above the limits. */
  add(body: NewBody, recipient: string, limits: BodyLimits): Promise<void>
  /** Newest first. */
  list(userId: number, since: number): Promise<StoredCallBody[]>
  find(userId: number, requestId: string, since: number): Promise<(StoredCallBody & { sealed: string }) | null>
  /** Removes all bodies of the user if no request is given. */
  remove(userId: number, requestId?: string): Promise<number>
  /** Returns the bytes of all bodies. */
  size(): Promise<number>
  /** Removes bodies created before a time (epoch seconds), and the oldest above a total size. */
  prune(before: number, bytes: number): Promise<void>
}
