// `weir teams …`: people who share a balance.
import { fillTemplate, words } from '../../core/errors.ts'
import { MemberForm } from '../../core/teams/contract.ts'
import { parseQuotaFlag } from '../amount.ts'
import { dollarText, listChangedAmounts, movedText } from '../changed-amounts.ts'
import { command, group } from '../command.ts'
import { requireConfirmation } from '../confirm.ts'
import { inUnits, parseFlagValues, toFlags } from '../flags.ts'
import { memberView, needMember, needTeam, needTeamId, ROLES, teamsOf, teamView, wholeTeamView } from '../nouns/team.ts'
import { pageAsked, pageOptions, tellMore } from '../paging.ts'
import { accept, decline, invitations, withdraw } from './team-invitations.ts'

const DEFAULT_LIMIT = 50

const team = { spec: '<team>', help: words('id or name of the team', '团队的编号或名称') } as const
const user = { spec: '<user>', help: words('username of the member', '成员的用户名') } as const
const yes = { flag: '--yes', help: words('do not ask', '不再询问') } as const

const list = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  readOnly: true,
  output: { view: teamView, many: true },
  summary: words(
    "List own teams with their balances, or everybody's as an administrator",
    '列出自己的团队及余额；管理员可查看所有团队',
  ),
  options: pageOptions(DEFAULT_LIMIT),
  async run({ client, print, options }) {
    const slice = pageAsked(options, DEFAULT_LIMIT)
    const { items, total } = await teamsOf(await client(), slice)
    await print.list(items, teamView, {
      empty: words('No teams yet: `weir teams add` makes one.', '还没有团队：用 `weir teams add` 创建。'),
    })
    tellMore(print, items.length, total)
  },
})

const show = command({
  name: 'show',
  readOnly: true,
  output: { view: wholeTeamView, many: false },
  summary: words('A team, its balance and its members', '查看团队、余额与成员'),
  arguments: { team },
  async run({ client, print, args }) {
    const found = await needTeam(await client(), args.team)
    await print.one(found, wholeTeamView, { bare: String(found.id) })
  },
})

const members = command({
  name: 'members',
  readOnly: true,
  output: { view: memberView, many: true },
  summary: words('The members of a team: what each may spend, and has spent', '团队成员：各自的上限与已用额度'),
  arguments: { team },
  async run({ client, print, args }) {
    const found = await needTeam(await client(), args.team)
    await print.list(found.members, memberView, { empty: words('No members.', '没有成员。') })
  },
})

const add = command({
  name: 'add',
  output: { view: teamView, many: false },
  summary: words('Make a team, with an empty account; who makes it owns it', '创建团队，余额为空；创建者即所有者'),
  arguments: { name: { spec: '<name>', help: words('name of the team', '团队名称') } },
  async run({ client, print, args }) {
    const made = await (await client()).teams.create({ name: args.name })
    await print.done(made, teamView, {
      human: words(`Made team ${made.id} "${made.name}".`, `已创建团队 ${made.id} "${made.name}"。`),
      bare: String(made.id),
    })
  },
})

const rename = command({
  name: 'rename',
  output: { view: teamView, many: false },
  summary: words('Rename a team, as an owner', '重命名团队（须为所有者）'),
  arguments: { team, name: { spec: '<name>', help: words('the new name', '新名称') } },
  async run({ client, print, args }) {
    const weir = await client()
    const changed = await weir.teams.update({ id: await needTeamId(weir, args.team), name: args.name })
    await print.done(changed, teamView, {
      human: words(
        `Team ${changed.id} is called "${changed.name}".`,
        `团队 ${changed.id} 已更名为 "${changed.name}"。`,
      ),
      bare: String(changed.id),
    })
  },
})

const remove = command({
  name: 'rm',
  aliases: ['delete'],
  output: { view: teamView, many: false },
  summary: words(
    'Delete a team whose account is empty, as an owner: its tokens end',
    '删除余额为空的团队（须为所有者）：其令牌失效',
  ),
  arguments: { team },
  options: { yes },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const found = await needTeam(weir, args.team)
    const { id, name } = found
    await sure(words(`Delete team ${id} "${name}"?`, `删除团队 ${id} "${name}"？`))
    await weir.teams.delete({ id })
    await print.done(found, teamView, {
      human: words(`Deleted team ${id} "${name}".`, `已删除团队 ${id} "${name}"。`),
      bare: String(id),
    })
  },
})

/** Given as arguments, not as flags. */
const WHO = ['id', 'username'] as const

const putMember = command({
  name: 'member',
  output: { view: memberView, many: false },
  summary: words(
    'Invite a user, or change role and limits of a member, as an owner; flags that are not given stay. A new owner must accept first',
    '邀请成员，或修改成员的角色与上限（须为所有者）；未给出的保持不变。成为所有者须本人接受',
  ),
  details: words("weir teams member research ada --day 5usd", "weir teams member research ada --day 5usd"),
  arguments: { team, user },
  options: toFlags(MemberForm, WHO),
  async run({ client, money, print, args, options }) {
    const given = parseFlagValues(MemberForm, options, WHO)
    const weir = await client()
    const id = await needTeamId(weir, args.team)
    const { invited, ...stored } = await weir.teams.putMember({
      id,
      username: args.user,
      ...(await inUnits(given, money)),
    })
    const found = await weir.teams.get({ id })
    const isThere = found.members.some(({ user_id }) => user_id === stored.user_id)
    const member = isThere ? needMember(found, args.user) : { ...stored, used_day: 0, used_month: 0 }
    const role = invited ? (given.role ?? stored.role) : member.role
    const values = {
      name: member.username,
      role: ROLES[role === 'owner' ? 'owner' : 'member'],
      team: found.name,
      amounts: listChangedAmounts(MemberForm, undefined, member, await money()),
    }
    const human = invited
      ? words(
          '{name} is invited to be {role} of team {team}.{amounts}',
          '已邀请 {name} 成为团队 {team} 的{role}。{amounts}',
        )
      : words('{name} is {role} of team {team}.{amounts}', '{name} 是团队 {team} 的{role}。{amounts}')
    await print.done(member, memberView, { human: fillTemplate(human, values), bare: String(member.user_id) })
  },
})

const removeMember = command({
  name: 'remove-member',
  output: { view: memberView, many: false },
  summary: words(
    'Remove a member, as an owner, or leave: their tokens of the team end',
    '移除成员（须为所有者）或退出团队：其团队令牌失效',
  ),
  arguments: { team, user },
  options: { yes },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes, words('remove', '移除'))
    const weir = await client()
    const found = await needTeam(weir, args.team)
    const member = needMember(found, args.user)
    const values = { name: member.username, team: found.name }
    await sure(fillTemplate(words('Remove {name} from team {team}?', '将 {name} 移出团队 {team}？'), values))
    await weir.teams.removeMember({ id: found.id, user_id: member.user_id })
    await print.done(member, memberView, {
      human: fillTemplate(words('{name} has left team {team}.', '{name} 已离开团队 {team}。'), values),
      bare: String(member.user_id),
    })
  },
})

const topUp = command({
  name: 'topup',
  aliases: ['top-up'],
  output: { view: teamView, many: false },
  summary: words(
    "Move quota from one's own balance into a team's, as an owner, or back; administrators may grant it",
    '将自己的余额转入团队（须为所有者）或转回；管理员可直接授予',
  ),
  details: words("In dollars: weir teams topup research 5usd", "以美元计：weir teams topup research 5usd"),
  arguments: {
    team,
    amount: {
      spec: '<amount>',
      help: words("dollars like 5usd, or quota units; below zero takes back", "美元（如 5usd）或额度单位；负数为转回"),
    },
  },
  options: {
    back: { flag: '--back', help: words('take it out of the team instead', '改为从团队转出') },
    grant: {
      flag: '--grant',
      help: words(
        'as an administrator: without a source, or with --back without a target',
        '管理员：凭空增加，或与 --back 一起凭空减少',
      ),
    },
  },
  async run({ client, money, print, args, options }) {
    const parseUnits = parseQuotaFlag('<amount>', args.amount, { zero: 'refused' })
    const weir = await client()
    const id = await needTeamId(weir, args.team)
    const shown = await money()
    const amount = parseUnits(shown) * (options.back ? -1 : 1)
    const after = await (options.grant ? weir.teams.adjust({ id, amount }) : weir.teams.transfer({ id, amount }))
    await print.done(after, teamView, {
      human: fillTemplate(BALANCE, {
        name: after.name,
        before: dollarText(after.quota - amount, shown),
        after: dollarText(after.quota, shown),
        moved: movedText(amount, shown),
      }),
      bare: String(after.id),
    })
  },
})

const BALANCE = words(
  'The balance of team {name}: {before} → {after} ({moved}).',
  '团队 {name} 的余额：{before} → {after}（{moved}）。',
)

export const teams = group({
  name: 'teams',
  summary: words('People who share a balance', '共用余额的团队'),
  commands: [
    ...[list, show, members, add, rename, remove, putMember, removeMember],
    ...[invitations, accept, decline, withdraw, topUp],
  ],
})
