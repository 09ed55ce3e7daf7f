// A member with what they cost their team.
import type { TeamMember } from '../../../core/teams/team.ts'

/** What the team was charged for them in the present periods, in quota units. */
export type MemberUse = TeamMember & { used_day: number; used_month: number }
