import { z } from 'zod'
import { QuotaAmount, MAX_AMOUNT, queryFlag } from '../contract/filter.ts'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { buildPageSchema, pageQueryFields, cursorPageSchema, cursorQueryFields } from '../contract/page.ts'
import { ReadVersion } from '../contract/version.ts'
import { words } from '../errors.ts'
import { LogEntry } from '../calls/log-entry.ts'
import { teamFields, teamViewFields } from './team-fields.data.ts'
import {
  MAX_VIEW_NAME,
  MAX_VIEW_QUERY,
  Team,
  TeamInvitation,
  teamListOrder,
  TeamMember,
  TeamRole,
  TeamView,
} from './team.ts'

const id = z.object({ id: z.coerce.number().int() })
const name = z.string().default('')
/** Quota units per period; 0 for no limit. */
const budget = QuotaAmount
/** Quota units, signed. */
const moved = z.number().int().min(-MAX_AMOUNT).max(MAX_AMOUNT)

/** A member with what the team was charged for them in the present periods, in quota units. */
const ShownMember = TeamMember.extend({ used_day: z.number(), used_month: z.number() })

export const TeamForm = z.object(declareShapeFields(teamFields, { name }))

/** The amount added to a team's balance; negative to withdraw it. */
export const BalanceMoveForm = z.object(declareShapeFields(teamFields, { id: z.number().int(), amount: moved }))

/** The invitation to answer. */
export const InvitationForm = z.object(declareShapeFields(teamFields, { invitation_id: z.number().int() }))

/** An owner's changes to a member; absent fields stay as they are. */
export const MemberForm = z.object(
  declareShapeFields(teamFields, {
    id: z.number().int(),
    username: z.string(),
    role: TeamRole.optional(),
    budget_day: budget.optional(),
    budget_month: budget.optional(),
    version: ReadVersion,
  }),
)

const viewName = z.string().trim().min(1).max(MAX_VIEW_NAME)

/** A view of a list that a team is to share. */
export const TeamViewForm = z.object(
  declareShapeFields(teamViewFields, {
    id: z.number().int(),
    list: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
    name: viewName,
    query: z
      .string()
      .max(MAX_VIEW_QUERY)
      .regex(/^([?][^#]*)?$/)
      .default(''),
  }),
)

export const teamsContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/team/',
    access: 'user',
    scope: 'read',
    summary: words('Your teams by name, with their balances; with all=true the teams of all users, for administrators'),
    query: z.object({ ...pageQueryFields, ...cursorQueryFields(teamListOrder), all: queryFlag }),
    reply: cursorPageSchema(Team, teamListOrder),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/team/{id}',
    access: 'user',
    scope: 'read',
    summary: words('A team with its members, for who is one of them and for administrators'),
    params: id,
    reply: Team.extend({
      members: z.array(ShownMember),
      /** Those that stand, for its owners and for administrators. */
      invitations: z.array(TeamInvitation),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/team/',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('Create a team with an empty account; its creator owns it. Not available to users with debts'),
    row: Team,
    body: TeamForm,
    reply: Team,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/team/',
    access: 'user',
    scope: 'all',
    summary: words('Rename a team, as an owner'),
    row: Team,
    body: z.object(declareShapeFields(teamFields, { id: z.number().int(), name, version: ReadVersion })),
    reply: Team,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/team/{id}',
    access: 'user',
    scope: 'all',
    summary: words('Delete a team whose account is empty, as an owner; its tokens end'),
    params: id,
    reply: z.null(),
  }),
  putMember: endpoint({
    method: 'PUT',
    path: '/api/team/member',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words(
      'Invite a user by username, or change role and limits of a member, as an owner; absent fields stay. A new owner must accept first',
    ),
    row: ShownMember,
    body: MemberForm,
    /** `invited`: true if the change takes effect once the person accepts it. */
    reply: TeamMember.extend({ invited: z.boolean() }),
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/team/{id}/member/{user_id}',
    access: 'user',
    scope: 'all',
    proof: { when: words('if another user is removed') },
    summary: words('Remove a member, as an owner, or leave; their tokens of the team end for good'),
    params: z.object({ id: z.coerce.number().int(), user_id: z.coerce.number().int() }),
    reply: z.null(),
  }),
  invitations: endpoint({
    method: 'GET',
    path: '/api/team_invitation/',
    access: 'user',
    scope: 'read',
    summary: words('Invitations to teams that wait for an answer, the latest first'),
    reply: z.array(TeamInvitation),
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/team_invitation/accept',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('Accept an invitation to a team'),
    body: InvitationForm,
    reply: TeamMember,
  }),
  decline: endpoint({
    method: 'POST',
    path: '/api/team_invitation/decline',
    access: 'user',
    scope: 'all',
    summary: words('Decline an invitation to a team'),
    body: InvitationForm,
    reply: z.null(),
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/team/{id}/invitation/{invitation_id}',
    access: 'user',
    scope: 'all',
    summary: words('Withdraw an invitation, as an owner'),
    params: z.object({ id: z.coerce.number().int(), invitation_id: z.coerce.number().int() }),
    reply: z.null(),
  }),
  views: endpoint({
    method: 'GET',
    path: '/api/team_view/',
    access: 'user',
    scope: 'read',
    summary: words(
      'Views of lists that your teams share, or one team with its id; and the teams that you may share views with',
    ),
    query: z.object({ id: z.coerce.number().int().optional() }),
    reply: z.object({
      views: z.array(TeamView),
      /** The teams, of those whose views are listed, that the caller manages. */
      managed: z.array(z.object({ id: z.number(), name: z.string() })),
    }),
  }),
  shareView: endpoint({
    method: 'POST',
    path: '/api/team_view/',
    access: 'user',
    scope: 'all',
    summary: words('Share a view of a list with the members of a team, as an owner'),
    body: TeamViewForm,
    reply: TeamView,
  }),
  renameView: endpoint({
    method: 'PUT',
    path: '/api/team_view/',
    access: 'user',
    scope: 'all',
    summary: words('Rename a view that a team shares, as an owner'),
    row: TeamView,
    body: z.object(
      declareShapeFields(teamViewFields, { id: z.number().int(), view_id: z.number().int(), name: viewName }),
    ),
    reply: TeamView,
  }),
  deleteView: endpoint({
    method: 'DELETE',
    path: '/api/team/{id}/view/{view_id}',
    access: 'user',
    scope: 'all',
    summary: words('Delete a view that a team shares, as an owner'),
    params: z.object({ id: z.coerce.number().int(), view_id: z.coerce.number().int() }),
    reply: z.null(),
  }),
  transfer: endpoint({
    method: 'POST',
    path: '/api/team/transfer',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words("Move quota from your balance to a team's, or back if the amount is negative, as an owner"),
    body: BalanceMoveForm,
    reply: Team,
  }),
  adjust: endpoint({
    method: 'POST',
    path: '/api/team/adjust',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words("Add to a team's balance, or deduct from it if the amount is negative"),
    body: BalanceMoveForm,
    reply: Team,
  }),
  logs: endpoint({
    method: 'GET',
    path: '/api/team/{id}/logs',
    access: 'user',
    scope: 'read',
    summary: words("The calls by a team's tokens, newest first, for its owners"),
    params: id,
    query: z.object(pageQueryFields),
    reply: buildPageSchema(LogEntry),
  }),
}
