import type { User } from '../users/user.ts'

/** A user whose log rows are being erased. Times in epoch seconds. */
export interface UserErasure {
  user_id: number
  asked_at: number
  /** Time at which the erasure was complete; null until then. */
  done_at: number | null
}

/** Personal data in the database, as `holdings.data.ts` declares it; of the log only what concerns all of its rows. */
export interface PersonalDataStore {
  /** Yields the user's rows of a table, with the exported columns. */
  pages(table: string, userId: number): AsyncGenerator<Record<string, unknown>[]>
  /** Erases the user's data in all tables, and records that the log's rows are due. A repeated call changes nothing. */
  forget(user: User, now: number): Promise<void>
  /** Erases again the data that calls in progress have written since. */
  forgetAgain(userId: number): Promise<void>
  find(userId: number): Promise<UserErasure | null>
  /** Lists users whose erasure is incomplete. */
  pending(): Promise<UserErasure[]>
  done(userId: number, now: number): Promise<void>
}
