import { z } from 'zod'
import { Amount, LARGEST_AMOUNT } from '../contract/amount.ts'
import { endpoint } from '../contract/endpoint.ts'
import { described } from '../contract/field.ts'
import { queryFlag } from '../contract/flag.ts'
import { pageOf, pageQuery, walkedPageOf, walkQuery } from '../contract/page.ts'
import { ReadVersion } from '../contract/version.ts'
import { words } from '../errors.ts'
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
    reply: walkedPageOf(Team, teamList),
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
    reply: Team.extend({ members: z.array(ShownMember) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/team/',
    access: 'user',
    scope: 'all',
    summary: words('Make a team, with an empty account; who makes it owns it', '创建团队，账户为空；创建者为其所有者'),
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
    body: z.object(described(teamFields, { id: z.number().int(), name, version: ReadVersion })),
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
    summary: words(
      'Add a member by username, or change role and limits of one, as an owner; what is absent stays',
      '所有者按用户名添加成员，或修改其角色与限额；未给出的保持不变',
    ),
    row: ShownMember,
    body: MemberForm,
    reply: TeamMember,
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/team/{id}/member/{user_id}',
    access: 'user',
    scope: 'all',
    summary: words(
      'Remove a member, as an owner, or leave; their tokens of the team end',
      '所有者移除成员，或成员自行退出；其团队令牌失效',
    ),
    params: z.object({ id: z.coerce.number().int(), user_id: z.coerce.number().int() }),
    reply: z.null(),
  }),
  transfer: endpoint({
    method: 'POST',
    path: '/api/team/transfer',
    access: 'user',
    scope: 'all',
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
    reply: pageOf(LogEntry),
  }),
}
