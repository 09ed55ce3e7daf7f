import type { User } from '../users/user.ts'

/** The recently charged users. Entries count up. */
export interface WarningStore {
  /** Number of the newest entry; 0 before the first. */
  lastEntry(): Promise<number>
  /** Returns the users charged by entries after this one, in their current state, and the newest entry examined. */
  charged(after: number): Promise<{ last: number; users: User[] }>
  /** Returns true once per period for each user, over all processes and restarts. `now` in epoch seconds. */
  claim(userId: number, now: number, pauseSeconds: number): Promise<boolean>
}
