import type { RowPage, ListSlice } from '../contract/page.ts'
import type { PersonalEdit } from '../contract/version.ts'
import type { Debt } from '../quota/debt.ts'
import type { Team, TeamInvitation, TeamMember, TeamRole, TeamView } from './team.ts'

export type NewMember = Omit<TeamMember, 'username' | 'version'>

/** Teams that were deleted are in no answer; their entries stay. */
export interface TeamStore {
  /** Inserts a team together with its account. */
  insert(team: Pick<Team, 'name' | 'created_time'>): Promise<Team>
  find(id: number): Promise<Team | null>
  /**
   * Locks the team, its members and its invitations until the transaction ends. A user's row must be locked before it.
   */
  lock(id: number): Promise<Team | null>
  /** Lists teams by name; those of one user, or all. */
  list(userId: number | null, slice: ListSlice): Promise<RowPage<Team>>
  /** @throws GatewayError edit.conflict where another version is stored than was read */
  rename(id: number, name: string, edit: PersonalEdit): Promise<void>
  /**
   * Deletes a team with an empty account and without open stored calls, together with its tokens, invitations and views;
   * false otherwise. Time in epoch seconds.
   */
  delete(id: number, deleted_at: number): Promise<boolean>
  /** Owners first, then by name. */
  members(id: number): Promise<TeamMember[]>
  member(id: number, userId: number): Promise<TeamMember | null>
  /** The users who own it; none for an account that is no team's. */
  ownerIds(id: number): Promise<number[]>
  /** How many teams a user owns. */
  countOwned(userId: number): Promise<number>
  /** The teams of a user's that are below zero, of those that the user owns. */
  debtsOf(userId: number): Promise<Debt[]>
  /**
   * Adds a member, or changes an existing one. @throws GatewayError edit.conflict if another version is stored, or none
   */
  putMember(member: NewMember, edit?: PersonalEdit): Promise<void>
  /** Removes a member with their tokens of the team, and the invitations by and to them. Time in epoch seconds. */
  removeMember(id: number, userId: number, now: number): Promise<void>
  /** The teams of a user by their ids, each with the user's role and how many owners it has. */
  ofUser(userId: number): Promise<{ id: number; name: string; role: TeamRole; owners: number }[]>
}

export type NewInvitation = Pick<
  TeamInvitation,
  'team_id' | 'username' | 'role' | 'budget_day' | 'budget_month' | 'created_time' | 'expires_time'
> & {
  /** null if no user has this name. */
  user_id: number | null
  /** Null for the terminal on the host. */
  invited_by: number | null
}

/** Those that have lapsed are in no answer, and go when the next one is written. */
export interface TeamInvitationStore {
  /** Inserts an invitation and replaces one to the same name. */
  put(invitation: NewInvitation): Promise<void>
  /** Lists the invitations by name. */
  ofTeam(teamId: number): Promise<TeamInvitation[]>
  /** The latest first. */
  ofUser(userId: number): Promise<TeamInvitation[]>
  find(id: number, userId: number): Promise<TeamInvitation | null>
  /** Returns the users who are invited to own a team. */
  futureOwners(teamId: number): Promise<number[]>
  /** Returns false if it no longer exists. */
  remove(id: number): Promise<boolean>
  /** Those by a user for a team, and those to the user. */
  removeOfMember(teamId: number, userId: number): Promise<void>
  /** Those to a user. */
  removeOfUser(userId: number): Promise<void>
}

export type NewTeamView = Omit<TeamView, 'id' | 'team_name'>

/** The views that teams share, oldest first. Those of deleted teams are in no answer. */
export interface TeamViewStore {
  /** Inserts a view and returns its id. The team must be locked, so that its names stay unique in each list. */
  insert(view: NewTeamView): Promise<number>
  ofTeam(teamId: number): Promise<TeamView[]>
  /** Lists the views of all teams of a user; null for those of all teams. */
  ofUser(userId: number | null): Promise<TeamView[]>
  rename(id: number, name: string): Promise<void>
  remove(id: number): Promise<void>
}
