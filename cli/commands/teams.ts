// `weir teams …`: people who share a balance.
import type { EndpointName, WeirClient } from '../../core/contracts.ts'
import { fillTemplate, type Words } from '../../core/errors.ts'
import { parseQuotaFlag } from '../input/amount.ts'
import { formatDollars, listChangedAmounts, formatAmountChange } from '../changed-amounts.ts'
import { command, group, type Command, LIST_COMMAND } from '../command.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { convertToUnits, parseFlagValues, toFlags } from '../input/flags.ts'
import { logEntryView } from '../nouns/log.ts'
import {
  teamMemberView,
  findRequiredMember,
  findRequiredTeam,
  needTeamId,
  TEAM_ROLE_TEXTS,
  listVisibleTeams,
  teamRowView,
  wholeTeamView,
  teamInvitationView,
  findRequiredInvitation,
  needOwnInvitation,
} from '../nouns/team.ts'
import { teamTokenView } from '../nouns/token.ts'
import { parseRequestedRows, buildPageOptions, printRequestedRows, type PageQuery } from '../output/paging.ts'
import type { OutputView } from '../output/view.ts'
import { viewsCommand } from './team-views.ts'
import { words } from '../texts.ts'
import { memberForm } from '../input/forms.built.ts'

const invitation = {
  spec: '<invitation>',
  help: words('number of the invitation, or name of its team'),
} as const
const team = { spec: '<team>', help: words('id or name of the team') } as const
const user = { spec: '<user>', help: words('username of the member') } as const
const invitedUser = { spec: '<user>', help: words('username of the invited user') } as const

const invitationsCommand = command({
  name: 'invitations',
  readOnly: true,
  output: { view: teamInvitationView, many: true },
  summary: words('List invitations that wait for your answer; with a team, those that wait for others'),
  arguments: { team: { spec: '[team]', help: team.help } },
  async run({ client, print, args }) {
    const weir = await client()
    const list =
      args.team === undefined ? await weir.teams.invitations({}) : (await findRequiredTeam(weir, args.team)).invitations
    await print.list(list, teamInvitationView, { empty: words('No invitations.') })
  },
})

const acceptCommand = command({
  name: 'accept',
  output: { view: teamInvitationView, many: false },
  summary: words('Accept an invitation to a team'),
  arguments: { invitation },
  async run({ client, print, args }) {
    const weir = await client()
    const found = await needOwnInvitation(weir, args.invitation)
    await weir.teams.accept({ invitation_id: found.id })
    await print.done(found, teamInvitationView, {
      human: fillTemplate(words('You belong to team {team}.'), { team: found.team_name }),
      quietOutput: String(found.team_id),
    })
  },
})

const declineCommand = command({
  name: 'decline',
  output: { view: teamInvitationView, many: false },
  summary: words('Decline an invitation to a team'),
  arguments: { invitation },
  async run({ client, print, args }) {
    const weir = await client()
    const found = await needOwnInvitation(weir, args.invitation)
    await weir.teams.decline({ invitation_id: found.id })
    await print.done(found, teamInvitationView, {
      human: fillTemplate(words('Declined the invitation to team {team}.'), {
        team: found.team_name,
      }),
      quietOutput: String(found.id),
    })
  },
})

const withdrawCommand = command({
  name: 'withdraw',
  output: { view: teamInvitationView, many: false },
  summary: words('Withdraw an invitation, as an owner'),
  arguments: { team, user: invitedUser },
  async run({ client, print, args }) {
    const weir = await client()
    const found = await findRequiredTeam(weir, args.team)
    const one = findRequiredInvitation(found, args.user)
    await weir.teams.withdraw({ id: found.id, invitation_id: one.id })
    const values = { name: one.username, team: found.name }
    await print.done(one, teamInvitationView, {
      human: fillTemplate(words('{name} is no longer invited to team {team}.'), values),
      quietOutput: String(one.id),
    })
  },
})

const DEFAULT_LIMIT = 50

const yes = { flag: '--yes', help: words('do not ask') } as const

const list = command({
  ...LIST_COMMAND,
  output: { view: teamRowView, many: true },
  summary: words('List your teams with their balances; administrators see all'),
  options: buildPageOptions(DEFAULT_LIMIT),
  async run({ client, print, options }) {
    const range = parseRequestedRows(options, print, DEFAULT_LIMIT)
    const weir = await client()
    const fetch = async (query: PageQuery) => listVisibleTeams(weir, query)
    await printRequestedRows(print, range, fetch, teamRowView, {
      empty: words('No teams yet: `weir teams add` makes one.'),
    })
  },
})

const show = command({
  name: 'show',
  readOnly: true,
  output: { view: wholeTeamView, many: false },
  summary: words('Show a team with its balance and its members'),
  arguments: { team },
  async run({ client, print, args }) {
    const found = await findRequiredTeam(await client(), args.team)
    await print.one(found, wholeTeamView, { quietOutput: String(found.id) })
  },
})

const members = command({
  name: 'members',
  readOnly: true,
  output: { view: teamMemberView, many: true },
  summary: words('List the members of a team: what each may spend and has spent'),
  arguments: { team },
  async run({ client, print, args }) {
    const found = await findRequiredTeam(await client(), args.team)
    await print.list(found.members, teamMemberView, { empty: words('No members.') })
  },
})

const add = command({
  name: 'add',
  output: { view: teamRowView, many: false },
  summary: words('Make a team, with an empty account; who makes it owns it'),
  arguments: { name: { spec: '<name>', help: words('name of the team') } },
  async run({ client, print, args }) {
    const made = await (await client()).teams.create({ name: args.name })
    await print.done(made, teamRowView, {
      human: fillTemplate(words('Made team {id} "{name}".'), { id: made.id, name: made.name }),
      quietOutput: String(made.id),
    })
  },
})

const rename = command({
  name: 'rename',
  output: { view: teamRowView, many: false },
  summary: words('Rename a team, as an owner'),
  arguments: { team, name: { spec: '<name>', help: words('the new name') } },
  async run({ client, print, args }) {
    const weir = await client()
    const changed = await weir.teams.update({ id: await needTeamId(weir, args.team), name: args.name })
    await print.done(changed, teamRowView, {
      human: fillTemplate(words('Team {id} is called "{name}".'), { id: changed.id, name: changed.name }),
      quietOutput: String(changed.id),
    })
  },
})

const remove = command({
  name: 'rm',
  aliases: ['delete'],
  output: { view: teamRowView, many: false },
  summary: words('Delete a team whose account is empty, as an owner: its tokens end'),
  arguments: { team },
  options: { yes },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const found = await findRequiredTeam(weir, args.team)
    const { id, name } = found
    await sure(fillTemplate(words('Delete team {id} "{name}"?'), { id, name }))
    await weir.teams.delete({ id })
    await print.done(found, teamRowView, {
      human: fillTemplate(words('Deleted team {id} "{name}".'), { id, name }),
      quietOutput: String(id),
    })
  },
})

/** Given as arguments, not as flags. */
const WHO = ['id', 'username'] as const

const memberFlags = toFlags(memberForm, WHO)

const putMember = command({
  name: 'member',
  output: { view: teamMemberView, many: false },
  summary: words(
    'Invite a user, or change role and limits of a member, as an owner; flags that are not given stay. A new owner must accept first',
  ),
  details: words('weir teams member research ada --budget-day 5usd'),
  arguments: { team, user },
  options: {
    ...memberFlags,
    budget_day: { ...memberFlags.budget_day, former: ['--day'] },
    budget_month: { ...memberFlags.budget_month, former: ['--month'] },
  },
  async run({ client, money, print, args, options }) {
    const given = parseFlagValues(memberForm, options, WHO)
    const weir = await client()
    const id = await needTeamId(weir, args.team)
    const { invited, ...stored } = await weir.teams.putMember({
      id,
      username: args.user,
      ...(await convertToUnits(given, money)),
    })
    const found = await weir.teams.get({ id })
    const isThere = found.members.some(({ user_id }) => user_id === stored.user_id)
    const member = isThere ? findRequiredMember(found, args.user) : { ...stored, used_day: 0, used_month: 0 }
    const role = invited ? (given.role ?? stored.role) : member.role
    const values = {
      name: member.username,
      role: TEAM_ROLE_TEXTS[role === 'owner' ? 'owner' : 'member'],
      team: found.name,
      amounts: listChangedAmounts(memberForm, undefined, member, await money()),
    }
    const human = invited
      ? words('{name} is invited to be {role} of team {team}.{amounts}')
      : words('{name} is {role} of team {team}.{amounts}')
    await print.done(member, teamMemberView, {
      human: fillTemplate(human, values),
      quietOutput: String(member.user_id),
    })
  },
})

const removeMember = command({
  name: 'remove-member',
  output: { view: teamMemberView, many: false },
  summary: words('Remove a member, as an owner, or leave: their tokens of the team end'),
  arguments: { team, user },
  options: { yes },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes, words('remove'))
    const weir = await client()
    const found = await findRequiredTeam(weir, args.team)
    const member = findRequiredMember(found, args.user)
    const values = { name: member.username, team: found.name }
    await sure(fillTemplate(words('Remove {name} from team {team}?'), values))
    await weir.teams.removeMember({ id: found.id, user_id: member.user_id })
    await print.done(member, teamMemberView, {
      human: fillTemplate(words('{name} has left team {team}.'), values),
      quietOutput: String(member.user_id),
    })
  },
})

const topUp = command({
  endpoint: 'teams.adjust',
  name: 'topup',
  aliases: ['top-up'],
  output: { view: teamRowView, many: false },
  summary: words("Move quota from your balance into a team's, as an owner, or back; administrators may grant it"),
  details: words('In dollars: weir teams topup research 5usd'),
  arguments: {
    team,
    amount: {
      spec: '<amount>',
      help: words('dollars like 5usd, or quota units; below zero takes back'),
    },
  },
  options: {
    back: { flag: '--back', help: words('take it out of the team instead') },
    grant: {
      flag: '--grant',
      help: words('as an administrator: without a source, or with --back without a target'),
    },
  },
  async run({ client, money, print, args, options }) {
    const parseUnits = parseQuotaFlag('<amount>', args.amount, { zero: 'refused' })
    const weir = await client()
    const id = await needTeamId(weir, args.team)
    const shown = await money()
    const amount = parseUnits(shown) * (options.back ? -1 : 1)
    const after = await (options.grant ? weir.teams.adjust({ id, amount }) : weir.teams.transfer({ id, amount }))
    await print.done(after, teamRowView, {
      human: fillTemplate(BALANCE, {
        name: after.name,
        before: formatDollars(after.quota - amount, shown),
        after: formatDollars(after.quota, shown),
        moved: formatAmountChange(amount, shown),
      }),
      quietOutput: String(after.id),
    })
  },
})

interface TeamListing<T> extends Pick<Command, 'name' | 'summary'> {
  endpoint: EndpointName
  view: OutputView<T>
  empty: Words
  load(weir: WeirClient, query: { id: number } & PageQuery): Promise<{ items: readonly T[]; total: number }>
}

/** Builds a list of what a team pays for, for its owners. */
const listOfTeam = <T>({ endpoint, name, summary, view, empty, load }: TeamListing<T>) =>
  command({
    endpoint,
    name,
    readOnly: true,
    output: { view, many: true },
    summary,
    arguments: { team },
    options: buildPageOptions(DEFAULT_LIMIT),
    async run({ client, print, args, options }) {
      const range = parseRequestedRows(options, print, DEFAULT_LIMIT)
      const weir = await client()
      const id = await needTeamId(weir, args.team)
      const fetch = async ({ p, page_size }: PageQuery) => load(weir, { id, p, page_size })
      await printRequestedRows(print, range, fetch, view, { empty })
    },
  })

const tokens = listOfTeam({
  endpoint: 'tokens.ofTeam',
  name: 'tokens',
  summary: words("List every member's tokens that a team pays for, newest first, as an owner"),
  view: teamTokenView,
  empty: words('No tokens.'),
  load: (weir, query) => weir.tokens.ofTeam(query),
})

const logs = listOfTeam({
  endpoint: 'teams.logs',
  name: 'logs',
  summary: words('List the calls that a team pays for, newest first, as an owner'),
  view: logEntryView,
  empty: words('No rows.'),
  load: (weir, query) => weir.teams.logs(query),
})

const BALANCE = words('The balance of team {name}: {before} → {after} ({moved}).')

export const teamsCommand = group({
  name: 'teams',
  summary: words('Teams: users who share a balance'),
  commands: [
    ...[list, show, members, add, rename, remove, putMember, removeMember],
    ...[invitationsCommand, acceptCommand, declineCommand, withdrawCommand, topUp],
    ...[tokens, logs, viewsCommand],
  ],
})
