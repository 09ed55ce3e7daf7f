// `weir teams invitations|accept|decline|withdraw`: invitations to teams, and the answers to them.
import { fillTemplate, words } from '../../core/errors.ts'
import { command } from '../command.ts'
import { invitationView, needInvitation, needOwnInvitation, needTeam } from '../nouns/team.ts'

const invitation = {
  spec: '<invitation>',
  help: words('number of the invitation, or name of its team', '邀请的编号或团队名称'),
} as const
const team = { spec: '<team>', help: words('id or name of the team', '团队的编号或名称') } as const
const user = { spec: '<user>', help: words('username, as it was invited', '被邀请的用户名') } as const

export const invitations = command({
  name: 'invitations',
  readOnly: true,
  output: { view: invitationView, many: true },
  summary: words(
    'Invitations that wait for your answer, or with a team those that wait for others',
    '等待自己答复的邀请；给出团队时为该团队等待答复的邀请',
  ),
  arguments: { team: { spec: '[team]', help: team.help } },
  async run({ client, print, args }) {
    const weir = await client()
    const list =
      args.team === undefined ? await weir.teams.invitations({}) : (await needTeam(weir, args.team)).invitations
    await print.list(list, invitationView, { empty: words('No invitations.', '没有邀请。') })
  },
})

export const accept = command({
  name: 'accept',
  output: { view: invitationView, many: false },
  summary: words('Accept an invitation to a team', '接受团队邀请'),
  arguments: { invitation },
  async run({ client, print, args }) {
    const weir = await client()
    const found = await needOwnInvitation(weir, args.invitation)
    await weir.teams.accept({ invitation_id: found.id })
    await print.done(found, invitationView, {
      human: fillTemplate(words('You belong to team {team}.', '您已加入团队 {team}。'), { team: found.team_name }),
      bare: String(found.team_id),
    })
  },
})

export const decline = command({
  name: 'decline',
  output: { view: invitationView, many: false },
  summary: words('Decline an invitation to a team', '拒绝团队邀请'),
  arguments: { invitation },
  async run({ client, print, args }) {
    const weir = await client()
    const found = await needOwnInvitation(weir, args.invitation)
    await weir.teams.decline({ invitation_id: found.id })
    await print.done(found, invitationView, {
      human: fillTemplate(words('Declined the invitation to team {team}.', '已拒绝团队 {team} 的邀请。'), {
        team: found.team_name,
      }),
      bare: String(found.id),
    })
  },
})

export const withdraw = command({
  name: 'withdraw',
  output: { view: invitationView, many: false },
  summary: words('Withdraw an invitation, as an owner', '撤回邀请（须为所有者）'),
  arguments: { team, user },
  async run({ client, print, args }) {
    const weir = await client()
    const found = await needTeam(weir, args.team)
    const one = needInvitation(found, args.user)
    await weir.teams.withdraw({ id: found.id, invitation_id: one.id })
    const values = { name: one.username, team: found.name }
    await print.done(one, invitationView, {
      human: fillTemplate(
        words('{name} is no longer invited to team {team}.', '已撤回对 {name} 加入团队 {team} 的邀请。'),
        values,
      ),
      bare: String(one.id),
    })
  },
})
