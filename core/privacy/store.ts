import type { User } from '../users/user.ts'

/** Somebody whose rows of the log are going. Times in epoch seconds. */
export interface Forgetting {
  user_id: number
  asked_at: number
  /** When nothing of theirs was left; null until then. */
  done_at: number | null
}

/** What is kept of people, as `holdings.data.ts` says; of the log only what concerns all of its rows. */
export interface PrivacyStore {
  /** Rows of a table that are theirs, by the columns that they are given. */
  pages(table: string, userId: number): AsyncGenerator<Record<string, unknown>[]>
  /** Empties or removes what tables hold of them, and remembers that the log's rows are to go. Asked again it changes nothing. */
  forget(user: User, now: number): Promise<void>
  /** Empties once more what calls that were going on have written since. */
  forgetAgain(userId: number): Promise<void>
  find(userId: number): Promise<Forgetting | null>
  /** Those who are not forgotten altogether. */
  pending(): Promise<Forgetting[]>
  done(userId: number, now: number): Promise<void>
}
