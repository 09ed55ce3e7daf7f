// People who share an account. Owners manage it, members' tokens spend from it, each as far as their limits go.
import { z } from 'zod'
import { UnreadableFields } from '../contract/filter.ts'
import { declareListing } from '../contract/page.ts'
import { RowVersion } from '../contract/version.ts'

export const TEAM_ROLES = ['owner', 'member'] as const
export const TeamRole = z.enum(TEAM_ROLES)
export type TeamRole = z.infer<typeof TeamRole>

export const MAX_TEAM_NAME = 30

/** Letters of the name and of the query of a saved view, whether a team shares it or a browser stores it. */
export const MAX_VIEW_NAME = 60
export const MAX_VIEW_QUERY = 2000
/** Views that a team shares of all lists, and that a browser stores of one list. */
export const MAX_VIEWS = 100

/** How teams can be sorted. */
export const teamListOrder = declareListing({
  name: 'teams',
  columns: ['id', 'name', 'created_time', 'quota', 'used_quota', 'request_count'],
  first: 'name',
  sums: ['quota', 'used_quota', 'request_count'],
})

export const Team = z.object({
  /** The id of its account. */
  id: z.number(),
  name: z.string(),
  /** Epoch seconds. */
  created_time: z.number(),
  /** Quota units. */
  quota: z.number(),
  used_quota: z.number(),
  request_count: z.number(),
  version: RowVersion,
  unreadable: UnreadableFields,
})
z.globalRegistry.add(Team, { id: 'Team' })
export type Team = z.infer<typeof Team>

export const TeamMember = z.object({
  team_id: z.number(),
  user_id: z.number(),
  username: z.string(),
  role: TeamRole,
  /** Epoch seconds. */
  created_time: z.number(),
  /** The team's budget for the member's calls per day and month (of UTC), in quota units; 0 for no limit. */
  budget_day: z.number(),
  budget_month: z.number(),
  version: RowVersion,
})
z.globalRegistry.add(TeamMember, { id: 'TeamMember' })
export type TeamMember = z.infer<typeof TeamMember>

/** An invitation to a role in a team. It has no effect until it is accepted. */
export const TeamInvitation = z.object({
  id: z.number(),
  team_id: z.number(),
  team_name: z.string(),
  /** As the sender typed it; a user with this name may not exist. */
  username: z.string(),
  role: TeamRole,
  /** The budgets of the member, once the invitation is accepted. */
  budget_day: z.number(),
  budget_month: z.number(),
  /** Username of the sender; empty for the terminal on the host. */
  invited_by: z.string(),
  /** Epoch seconds; from `expires_time` on it can no longer be accepted. */
  created_time: z.number(),
  expires_time: z.number(),
})
z.globalRegistry.add(TeamInvitation, { id: 'TeamInvitation' })
export type TeamInvitation = z.infer<typeof TeamInvitation>

/** A view of a list of the console that a team shares with its members. */
export const TeamView = z.object({
  id: z.number(),
  team_id: z.number(),
  team_name: z.string(),
  /** Name of the list, as the console calls it: `logs`. */
  list: z.string(),
  name: z.string(),
  /** The query of the list's address with its question mark; empty for the list without filters. */
  query: z.string(),
  /** Epoch seconds. */
  created_time: z.number(),
})
z.globalRegistry.add(TeamView, { id: 'TeamView' })
export type TeamView = z.infer<typeof TeamView>
