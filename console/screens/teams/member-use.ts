// A member with the usage that their team pays for.
import type { TeamMember } from '../../../core/teams/team.ts'

/** The team's charges for the member in the current periods, in quota units. */
export type MemberUse = TeamMember & { used_day: number; used_month: number }
