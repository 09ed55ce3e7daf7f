/** A browser session; only the hash of its id is kept. Times in epoch seconds. */
export interface Session {
  id_hash: string
  user_id: number
  created_time: number
  expires_time: number
}

export interface SessionStore {
  insert(session: Session): Promise<void>
  find(idHash: string): Promise<Session | null>
  delete(idHash: string): Promise<void>
  deleteOfUser(userId: number): Promise<void>
  /** Removes what ended before `now` (epoch seconds). */
  deleteExpired(now: number): Promise<void>
}
