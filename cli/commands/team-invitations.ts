// `weir teams invitations|accept|decline|withdraw`: invitations to teams, and the answers to them.
import { fillTemplate } from '../../core/errors.ts'
import { command } from '../command.ts'
import { invitationView, needInvitation, needOwnInvitation, needTeam } from '../nouns/team.ts'
import { words } from '../texts.ts'

const invitation = {
  spec: '<invitation>',
  help: words('number of the invitation, or name of its team'),
} as const
const team = { spec: '<team>', help: words('id or name of the team') } as const
const user = { spec: '<user>', help: words('username, as it was invited') } as const

export const invitations = command({
  name: 'invitations',
  readOnly: true,
  output: { view: invitationView, many: true },
  summary: words('Invitations that wait for your answer, or with a team those that wait for others'),
  arguments: { team: { spec: '[team]', help: team.help } },
  async run({ client, print, args }) {
    const weir = await client()
    const list =
      args.team === undefined ? await weir.teams.invitations({}) : (await needTeam(weir, args.team)).invitations
    await print.list(list, invitationView, { empty: words('No invitations.') })
  },
})

export const accept = command({
  name: 'accept',
  output: { view: invitationView, many: false },
  summary: words('Accept an invitation to a team'),
  arguments: { invitation },
  async run({ client, print, args }) {
    const weir = await client()
    const found = await needOwnInvitation(weir, args.invitation)
    await weir.teams.accept({ invitation_id: found.id })
    await print.done(found, invitationView, {
      human: fillTemplate(words('You belong to team {team}.'), { team: found.team_name }),
      bare: String(found.team_id),
    })
  },
})

export const decline = command({
  name: 'decline',
  output: { view: invitationView, many: false },
  summary: words('Decline an invitation to a team'),
  arguments: { invitation },
  async run({ client, print, args }) {
    const weir = await client()
    const found = await needOwnInvitation(weir, args.invitation)
    await weir.teams.decline({ invitation_id: found.id })
    await print.done(found, invitationView, {
      human: fillTemplate(words('Declined the invitation to team {team}.'), {
        team: found.team_name,
      }),
      bare: String(found.id),
    })
  },
})

export const withdraw = command({
  name: 'withdraw',
  output: { view: invitationView, many: false },
  summary: words('Withdraw an invitation, as an owner'),
  arguments: { team, user },
  async run({ client, print, args }) {
    const weir = await client()
    const found = await needTeam(weir, args.team)
    const one = needInvitation(found, args.user)
    await weir.teams.withdraw({ id: found.id, invitation_id: one.id })
    const values = { name: one.username, team: found.name }
    await print.done(one, invitationView, {
      human: fillTemplate(words('{name} is no longer invited to team {team}.'), values),
      bare: String(one.id),
    })
  },
})
