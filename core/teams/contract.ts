import { z } from 'zod'
import { Amount, LARGEST_AMOUNT, queryFlag } from '../contract/filter.ts'
import { endpoint } from '../contract/endpoint.ts'
import { declareFields } from '../contract/field.ts'
import { pageSchema, pageQuery, cursorPageSchema, walkQuery } from '../contract/page.ts'
import { ReadVersion } from '../contract/version.ts'
import { words } from '../errors.ts'
import { LogEntry } from '../calls/log-entry.ts'
import { teamFields } from './team-fields.data.ts'
import { Team, TeamInvitation, teamList, TeamMember, TeamRole } from './team.ts'

const id = z.object({ id: z.coerce.number().int() })
const name = z.string().default('')
/** Quota units per period; 0 for no limit. */
const budget = Amount
/** Quota units, signed. */
const moved = z.number().int().min(-LARGEST_AMOUNT).max(LARGEST_AMOUNT)

/** A member with what the team was charged for them in the present periods, in quota units. */
const ShownMember = TeamMember.extend({ used_day: z.number(), used_month: z.number() })

export const TeamForm = z.object(declareFields(teamFields, { name }))

/** The amount added to a team's balance; negative to withdraw it. */
export const MovedForm = z.object(declareFields(teamFields, { id: z.number().int(), amount: moved }))

/** The invitation to answer. */
export const InvitationForm = z.object(declareFields(teamFields, { invitation_id: z.number().int() }))

/** An owner's changes to a member; absent fields stay as they are. */
export const MemberForm = z.object(
  declareFields(teamFields, {
    id: z.number().int(),
    username: z.string(),
    role: TeamRole.optional(),
    budget_day: budget.optional(),
    budget_month: budget.optional(),
    version: ReadVersion,
  }),
)

export const teams = {
  list: endpoint({
    method: 'GET',
    path: '/api/team/',
    access: 'user',
    scope: 'read',
    summary: words(
      "Own teams by name, with their balances; with all=true everybody's, for administrators",
      '自己的团队及其余额，按名称排列；all=true 为所有人的团队，限管理员',
    ),
    query: z.object({ ...pageQuery, ...walkQuery(teamList), all: queryFlag }),
    reply: cursorPageSchema(Team, teamList),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/team/{id}',
    access: 'user',
    scope: 'read',
    summary: words(
      'A team with its members, for who is one of them and for administrators',
      '团队及其成员，供其成员与管理员查看',
    ),
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
    summary: words(
      'Create a team with an empty account; its creator owns it. Not available to users with debts',
      '创建团队，账户为空；创建者为其所有者。有欠费者不能创建',
    ),
    row: Team,
    body: TeamForm,
    reply: Team,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/team/',
    access: 'user',
    scope: 'all',
    summary: words('Rename a team, as an owner', '所有者重命名团队'),
    row: Team,
    body: z.object(declareFields(teamFields, { id: z.number().int(), name, version: ReadVersion })),
    reply: Team,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/team/{id}',
    access: 'user',
    scope: 'all',
    summary: words(
      'Delete a team whose account is empty, as an owner; its tokens end',
      '所有者删除账户为空的团队；其令牌失效',
    ),
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
      '所有者按用户名邀请成员，或修改成员的角色与限额；未给出的保持不变。成为所有者须本人接受',
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
    proof: { when: words('where somebody else is removed', '移除他人时') },
    summary: words(
      'Remove a member, as an owner, or leave; their tokens of the team end for good',
      '所有者移除成员，或成员自行退出；其团队令牌永久失效',
    ),
    params: z.object({ id: z.coerce.number().int(), user_id: z.coerce.number().int() }),
    reply: z.null(),
  }),
  invitations: endpoint({
    method: 'GET',
    path: '/api/team_invitation/',
    access: 'user',
    scope: 'read',
    summary: words('Invitations to teams that wait for an answer, the latest first', '等待答复的团队邀请，最新的在前'),
    reply: z.array(TeamInvitation),
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/team_invitation/accept',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words('Accept an invitation to a team', '接受团队邀请'),
    body: InvitationForm,
    reply: TeamMember,
  }),
  decline: endpoint({
    method: 'POST',
    path: '/api/team_invitation/decline',
    access: 'user',
    scope: 'all',
    summary: words('Decline an invitation to a team', '拒绝团队邀请'),
    body: InvitationForm,
    reply: z.null(),
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/team/{id}/invitation/{invitation_id}',
    access: 'user',
    scope: 'all',
    summary: words('Withdraw an invitation, as an owner', '所有者撤回邀请'),
    params: z.object({ id: z.coerce.number().int(), invitation_id: z.coerce.number().int() }),
    reply: z.null(),
  }),
  transfer: endpoint({
    method: 'POST',
    path: '/api/team/transfer',
    access: 'user',
    scope: 'all',
    proof: true,
    summary: words(
      "Move quota from one's own balance to a team's, or back where the amount is negative, as an owner",
      '所有者将自己余额中的额度转入团队，金额为负则转回',
    ),
    body: MovedForm,
    reply: Team,
  }),
  adjust: endpoint({
    method: 'POST',
    path: '/api/team/adjust',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words(
      "Add to a team's balance, or take from it where the amount is negative",
      '增加团队余额，金额为负则减少',
    ),
    body: MovedForm,
    reply: Team,
  }),
  logs: endpoint({
    method: 'GET',
    path: '/api/team/{id}/logs',
    access: 'user',
    scope: 'read',
    summary: words(
      "The calls by a team's tokens, newest first, for its owners",
      '团队令牌的调用，最新的在前，供其所有者查看',
    ),
    params: id,
    query: z.object(pageQuery),
    reply: pageSchema(LogEntry),
  }),
}
