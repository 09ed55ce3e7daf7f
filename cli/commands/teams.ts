// `weir teams …`: people who share a balance.
import type { WeirClient } from '../../core/contracts.ts'
import { MemberForm } from '../../core/teams/contract.ts'
import type { Team, TeamMember } from '../../core/teams/team.ts'
import { command, group } from '../command.ts'
import { flagsOf, valuesOf } from '../declared-flags.ts'
import { UsageError } from '../failure.ts'
import { quotaText, timeText, type MoneyView } from '../format.ts'
import { wholeNumber } from '../input.ts'
import type { Column } from '../table.ts'
import { needSure } from '../sure.ts'
import { needTeamId, teamsOf } from '../nouns/team.ts'
import { needUserId } from '../nouns/user.ts'

const team = { spec: '<team>', help: 'id or name of the team' }
const user = { spec: '<user>', help: 'username of the member' }

const columns = (money: MoneyView): Column<Team>[] => [
  { title: 'ID', rank: 1, value: ({ id }) => id, right: true },
  { title: 'NAME', rank: 1, flexible: true, value: ({ name }) => name, tone: () => 'strong' },
  { title: 'BALANCE', rank: 1, value: ({ quota }) => quotaText(quota, money), right: true },
  { title: 'USED', rank: 2, value: ({ used_quota }) => quotaText(used_quota, money), right: true },
  { title: 'CALLS', rank: 3, value: ({ request_count }) => request_count, right: true },
  { title: 'MADE', rank: 4, value: ({ created_time }) => timeText(created_time) },
]

type Member = TeamMember & { used_day: number; used_month: number }

const memberColumns = (money: MoneyView): Column<Member>[] => [
  { title: 'ID', rank: 2, value: ({ user_id }) => user_id, right: true },
  { title: 'MEMBER', rank: 1, flexible: true, value: ({ username }) => username, tone: () => 'strong' },
  { title: 'ROLE', rank: 1, value: ({ role }) => role },
  { title: 'TODAY', rank: 2, value: ({ used_day }) => quotaText(used_day, money), right: true },
  { title: 'DAY LIMIT', rank: 2, value: ({ budget_day }) => limitText(budget_day, money), right: true },
  { title: 'MONTH', rank: 3, value: ({ used_month }) => quotaText(used_month, money), right: true },
  { title: 'MONTH LIMIT', rank: 3, value: ({ budget_month }) => limitText(budget_month, money), right: true },
]

const limitText = (limit: number, money: MoneyView) => (limit === 0 ? 'none' : quotaText(limit, money))

const list = command({
  name: 'list',
  summary: "List own teams with their balances, or everybody's as an administrator",
  options: {
    page: { flag: '--page <number>', help: 'page, from 1' },
    limit: { flag: '--limit <number>', help: 'teams per page, up to 100 (otherwise 50)' },
  },
  async run({ client, print, options }) {
    const [page, size] = [wholeNumber('--page', options.page ?? '1'), wholeNumber('--limit', options.limit ?? '50')]
    const weir = await client()
    const { items } = await teamsOf(weir, { p: page, page_size: size })
    await print.rows(items, columns(await weir.site.status()), { empty: 'No teams yet: `weir teams add` makes one.' })
  },
})

const show = command({
  name: 'show',
  summary: 'A team, its balance and its members',
  arguments: { team },
  async run({ client, print, args }) {
    const weir = await client()
    const found = await weir.teams.get({ id: await needTeamId(weir, args.team) })
    const money = await weir.site.status()
    if (!print.json) print.say(`${found.name} (team ${found.id}), balance ${quotaText(found.quota, money)}`)
    await print.rows(found.members, memberColumns(money), { empty: 'No members.', json: found })
  },
})

const add = command({
  name: 'add',
  summary: 'Make a team, with an empty account; who makes it owns it',
  arguments: { name: { spec: '<name>', help: 'name of the team' } },
  async run({ client, print, args }) {
    const made = await (await client()).teams.create({ name: args.name })
    await print.result(made, { human: `Made team ${made.id} "${made.name}".`, bare: String(made.id) })
  },
})

const rename = command({
  name: 'rename',
  summary: 'Rename a team, as an owner',
  arguments: { team, name: { spec: '<name>', help: 'the new name' } },
  async run({ client, print, args }) {
    const weir = await client()
    const changed = await weir.teams.update({ id: await needTeamId(weir, args.team), name: args.name })
    await print.result(changed, { human: `Team ${changed.id} is called "${changed.name}".`, bare: String(changed.id) })
  },
})

const remove = command({
  name: 'delete',
  summary: 'Delete a team whose account is empty, as an owner: its tokens end',
  arguments: { team },
  options: { yes: { flag: '--yes', help: 'do not ask' } },
  async run({ client, print, ask, args, options }) {
    const sure = needSure(ask, options.yes)
    const weir = await client()
    const { id, name } = await weir.teams.get({ id: await needTeamId(weir, args.team) })
    await sure(`Delete team ${id} "${name}"?`)
    await weir.teams.delete({ id })
    await print.result({ deleted: id }, { human: `Deleted team ${id} "${name}".`, bare: String(id) })
  },
})

/** Said by the arguments. */
const WHO = ['id', 'username'] as const

const putMember = command({
  name: 'member',
  summary: 'Add a member, or change role and limits of one, as an owner; what is not given stays',
  arguments: { team, user },
  options: flagsOf(MemberForm, WHO),
  async run({ client, print, args, options }) {
    const change = valuesOf(MemberForm, options, WHO)
    const weir = await client()
    const id = await needTeamId(weir, args.team)
    const member = await weir.teams.putMember({ id, username: args.user, ...change })
    await print.result(member, {
      human: `${member.username} is ${member.role} of team ${member.team_id}.`,
      bare: String(member.user_id),
    })
  },
})

const removeMember = command({
  name: 'remove-member',
  summary: 'Remove a member, as an owner, or leave: their tokens of the team end',
  arguments: { team, user },
  async run({ client, print, args }) {
    const weir = await client()
    const id = await needTeamId(weir, args.team)
    const user_id = await memberId(weir, id, args.user)
    await weir.teams.removeMember({ id, user_id })
    await print.result({ removed: user_id }, { human: `${args.user} has left team ${id}.`, bare: String(user_id) })
  },
})

const topUp = command({
  name: 'top-up',
  summary: "Move quota from one's own balance into a team's, as an owner, or back; administrators may grant it",
  arguments: { team, units: { spec: '<units>', help: 'quota units' } },
  options: {
    back: { flag: '--back', help: 'take it out of the team instead' },
    grant: { flag: '--grant', help: 'as an administrator: from nobody, or with --back to nobody' },
  },
  async run({ client, print, args, options }) {
    const units = wholeNumber('<units>', args.units)
    if (units === 0) throw new UsageError('<units> must be at least 1.')
    const weir = await client()
    const asked = { id: await needTeamId(weir, args.team), amount: options.back ? -units : units }
    const after = await (options.grant ? weir.teams.adjust(asked) : weir.teams.transfer(asked))
    const money = await weir.site.status()
    await print.result(after, {
      human: `Team ${after.id} "${after.name}" has ${quotaText(after.quota, money)}.`,
      bare: String(after.quota),
    })
  },
})

/** The id of a member: who is no administrator can look for nobody but the team's own people. */
async function memberId(weir: WeirClient, id: number, name: string): Promise<number> {
  const { members } = await weir.teams.get({ id })
  const found = members.find(({ username }) => username.toLowerCase() === name.toLowerCase())
  return found?.user_id ?? needUserId(weir, name)
}

export const teams = group({
  name: 'teams',
  summary: 'People who share a balance',
  commands: [list, show, add, rename, remove, putMember, removeMember, topUp],
})
