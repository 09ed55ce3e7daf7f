import type { Page, Slice } from '../contract/page.ts'
import type { Edit } from '../contract/version.ts'
import type { Team, TeamMember, TeamRole } from './team.ts'

export type NewMember = Omit<TeamMember, 'username' | 'version'>

/** Teams that were deleted are in no answer; their entries stay. */
export interface TeamStore {
  /** A team with an account of its own. @throws GatewayError team.name_taken */
  insert(team: Pick<Team, 'name' | 'created_time'>): Promise<Team>
  find(id: number): Promise<Team | null>
  /** By name; those of one user, or everybody's. */
  list(userId: number | null, slice: Slice): Promise<Page<Team>>
  /** @throws GatewayError team.name_taken, edit.conflict where another version is stored than was read */
  rename(id: number, name: string, edit: Edit): Promise<void>
  /** Only while its account is empty and no call that is stored is open; false otherwise. Time in epoch seconds. */
  delete(id: number, deleted_at: number): Promise<boolean>
  /** Owners first, then by name. */
  members(id: number): Promise<TeamMember[]>
  member(id: number, userId: number): Promise<TeamMember | null>
  /** Adds a member, or changes the one there is. @throws GatewayError edit.conflict where another version is stored, or none any more */
  putMember(member: NewMember, edit?: Edit): Promise<void>
  removeMember(id: number, userId: number): Promise<void>
  /** The teams of a user, each with the user's role and how many owners it has. */
  ofUser(userId: number): Promise<{ id: number; name: string; role: TeamRole; owners: number }[]>
}
