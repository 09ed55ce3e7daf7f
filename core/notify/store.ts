import type { Team } from '../teams/team.ts'
import type { User } from '../users/user.ts'

/** Whose balance may be low: the user's own, or that of a team that the user owns. */
export interface Charged {
  user: User
  team?: Pick<Team, 'id' | 'name' | 'quota'>
}

/** Who was charged lately. Entries count up. */
export interface WarningStore {
  /** Number of the newest entry; 0 before the first. */
  lastEntry(): Promise<number>
  /** Who was charged by entries behind this one, as of now, each owner of a team too, and the newest entry looked at. */
  charged(after: number): Promise<{ last: number; charged: Charged[] }>
  /**
   * True once in so many seconds for each user and each of the user's teams, over all processes and restarts. `now` in
   * epoch seconds.
   */
  claim(charged: Charged, now: number, pauseSeconds: number): Promise<boolean>
}
