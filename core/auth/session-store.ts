/** A browser session; only the hash of its cookie is kept. Times in epoch seconds. */
export interface Session {
  id: number
  id_hash: string
  user_id: number
  ip: string
  user_agent: string
  created_time: number
  used_time: number
  /** When its owner last proved who they are: at sign-in, or when asked again. */
  proven_time: number
  expires_time: number
}

export interface SessionStore {
  insert(session: Omit<Session, 'id'>): Promise<void>
  find(idHash: string): Promise<Session | null>
  /** Those not yet expired at `now` (epoch seconds), latest use first; at most 100. */
  listOfUser(userId: number, now: number): Promise<Session[]>
  update(id: number, times: Partial<Pick<Session, 'used_time' | 'proven_time'>>): Promise<void>
  delete(idHash: string): Promise<void>
  /** One of this user's; false where they have no such session. */
  deleteOne(userId: number, id: number): Promise<boolean>
  /** All of a user's, but the one that is kept. */
  deleteOfUser(userId: number, keptId?: number): Promise<void>
  /** Removes what ended before `now` (epoch seconds). */
  deleteExpired(now: number): Promise<void>
}
