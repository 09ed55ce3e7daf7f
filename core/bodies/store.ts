import type { BodyKey, KeptBody } from './kept-body.ts'

export interface NewBody {
  request_id: string
  user_id: number
  token_id: number
  /** Epoch seconds. */
  created_at: number
  /** For the owner of the key, in base64. */
  sealed: string
}

export interface BodyLimits {
  /** Of each user. */
  calls: number
  bytes: number
}

export interface BodyStore {
  key(userId: number): Promise<BodyKey | null>
  setKey(userId: number, key: BodyKey & { created_time: number }): Promise<void>
  /** With everything that is kept of the user. */
  removeOfUser(userId: number): Promise<void>
  /** While the user wants it for this key; what they have beyond the limits goes, the oldest first. */
  add(body: NewBody, recipient: string, limits: BodyLimits): Promise<void>
  /** Newest first. */
  list(userId: number, since: number): Promise<KeptBody[]>
  find(userId: number, requestId: string, since: number): Promise<(KeptBody & { sealed: string }) | null>
  /** All of the user without a request. */
  remove(userId: number, requestId?: string): Promise<number>
  /** Bytes of all. */
  size(): Promise<number>
  /** Those made before (epoch seconds), and the oldest beyond so many bytes in all. */
  prune(before: number, bytes: number): Promise<void>
}
