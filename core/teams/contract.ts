import { z } from 'zod'
import { Amount, LARGEST_AMOUNT } from '../contract/amount.ts'
import { endpoint } from '../contract/endpoint.ts'
import { described } from '../contract/field.ts'
import { queryFlag } from '../contract/flag.ts'
import { pageOf, pageQuery, walkedPageOf, walkQuery } from '../contract/page.ts'
import { ReadVersion } from '../contract/version.ts'
import { LogEntry } from '../calls/log-entry.ts'
import { teamFields } from './team-fields.data.ts'
import { Team, teamList, TeamMember, TeamRole } from './team.ts'

const id = z.object({ id: z.coerce.number().int() })
const name = z.string().default('')
/** Quota units per period; 0 for no limit. */
const budget = Amount
/** Quota units, signed. */
const moved = z.number().int().min(-LARGEST_AMOUNT).max(LARGEST_AMOUNT)

/** A member with what the team was charged for them in the present periods, in quota units. */
const ShownMember = TeamMember.extend({ used_day: z.number(), used_month: z.number() })

export const TeamForm = z.object(described(teamFields, { name }))

/** What goes into a team's balance, or out of it where it is negative. */
export const MovedForm = z.object(described(teamFields, { id: z.number().int(), amount: moved }))

/** What an owner says of a member; what is absent stays. */
export const MemberForm = z.object(
  described(teamFields, {
    id: z.number().int(),
    username: z.string(),
    role: TeamRole.optional(),
    budget_day: budget.optional(),
    budget_month: budget.optional(),
  }),
)

export const teams = {
  list: endpoint({
    method: 'GET',
    path: '/api/team/',
    access: 'user',
    scope: 'read',
    summary: "Own teams by name, with their balances; with all=true everybody's, for administrators",
    query: z.object({ ...pageQuery, ...walkQuery(teamList), all: queryFlag }),
    reply: walkedPageOf(Team, teamList),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/team/{id}',
    access: 'user',
    scope: 'read',
    summary: 'A team with its members, for who is one of them and for administrators',
    params: id,
    reply: Team.extend({ members: z.array(ShownMember) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/team/',
    access: 'user',
    scope: 'all',
    summary: 'Make a team, with an empty account; who makes it owns it',
    row: Team,
    body: TeamForm,
    reply: Team,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/team/',
    access: 'user',
    scope: 'all',
    summary: 'Rename a team, as an owner',
    row: Team,
    body: z.object(described(teamFields, { id: z.number().int(), name, version: ReadVersion })),
    reply: Team,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/team/{id}',
    access: 'user',
    scope: 'all',
    summary: 'Delete a team whose account is empty, as an owner; its tokens end',
    params: id,
    reply: z.null(),
  }),
  putMember: endpoint({
    method: 'PUT',
    path: '/api/team/member',
    access: 'user',
    scope: 'all',
    summary: 'Add a member by username, or change role and limits of one, as an owner; what is absent stays',
    body: MemberForm,
    reply: TeamMember,
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/team/{id}/member/{user_id}',
    access: 'user',
    scope: 'all',
    summary: 'Remove a member, as an owner, or leave; their tokens of the team end',
    params: z.object({ id: z.coerce.number().int(), user_id: z.coerce.number().int() }),
    reply: z.null(),
  }),
  transfer: endpoint({
    method: 'POST',
    path: '/api/team/transfer',
    access: 'user',
    scope: 'all',
    summary: "Move quota from one's own balance to a team's, or back where the amount is negative, as an owner",
    body: MovedForm,
    reply: Team,
  }),
  adjust: endpoint({
    method: 'POST',
    path: '/api/team/adjust',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: "Add to a team's balance, or take from it where the amount is negative",
    body: MovedForm,
    reply: Team,
  }),
  logs: endpoint({
    method: 'GET',
    path: '/api/team/{id}/logs',
    access: 'user',
    scope: 'read',
    summary: "The calls by a team's tokens, newest first, for its owners",
    params: id,
    query: z.object(pageQuery),
    reply: pageOf(LogEntry),
  }),
}
