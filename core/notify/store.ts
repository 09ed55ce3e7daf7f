import type { User } from '../users/user.ts'

/** Who was charged lately. Entries count up. */
export interface WarningStore {
  /** Number of the newest entry; 0 before the first. */
  lastEntry(): Promise<number>
  /** Users who were charged by entries behind this one, as of now, and the newest entry that was looked at. */
  charged(after: number): Promise<{ last: number; users: User[] }>
  /** True once in so many seconds for each user, over all processes and restarts. `now` in epoch seconds. */
  claim(userId: number, now: number, pauseSeconds: number): Promise<boolean>
}
