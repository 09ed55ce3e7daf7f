// `weir teams invitations|accept|decline|withdraw`: invitations to teams, and the answers to them.
import { fillTemplate } from '../../core/errors.ts'
import { command } from '../command.ts'
import { teamInvitationView, findRequiredInvitation, needOwnInvitation, findRequiredTeam } from '../nouns/team.ts'
import { words } from '../texts.ts'

const invitation = {
  spec: '<invitation>',
  help: words('number of the invitation, or name of its team'),
} as const
const team = { spec: '<team>', help: words('id or name of the team') } as const
const user = { spec: '<user>', help: words('username of the invited user') } as const

export const invitationsCommand = command({
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

export const acceptCommand = command({
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

export const declineCommand = command({
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

export const withdrawCommand = command({
  name: 'withdraw',
  output: { view: teamInvitationView, many: false },
  summary: words('Withdraw an invitation, as an owner'),
  arguments: { team, user },
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
