// `weir teams views …`: the views of lists in the console that teams share with their members.
import { fillTemplate } from '../../core/errors.ts'
import { command, group } from '../command.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { parseFlagValues, requireFlags, toFlags } from '../input/flags.ts'
import { teamViewForm } from '../input/forms.built.ts'
import { findRequiredView, needTeamId, teamViewView } from '../nouns/team.ts'
import { words } from '../texts.ts'

const team = { spec: '<team>', help: words('id or name of the team') } as const
const view = { spec: '<view>', help: words('id or name of the view') } as const

const list = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  readOnly: true,
  output: { view: teamViewView, many: true },
  summary: words('List the views that your teams share, or one team'),
  arguments: { team: { spec: '[team]', help: team.help } },
  async run({ client, print, args }) {
    const weir = await client()
    const id = args.team === undefined ? undefined : await needTeamId(weir, args.team)
    const { views } = await weir.teams.views({ id })
    await print.list(views, teamViewView, { empty: words('No shared views.') })
  },
})

/** Given as arguments, not as flags. */
const NAMED = ['id', 'name'] as const

const add = command({
  name: 'add',
  output: { view: teamViewView, many: false },
  summary: words('Share a view of a list with the members of a team, as an owner'),
  details: words("weir teams views add research Errors --list logs --query '?type=5'"),
  arguments: {
    team,
    name: { spec: '<name>', help: words('name of the view') },
  },
  options: toFlags(teamViewForm, NAMED),
  async run({ client, print, args, options }) {
    requireFlags({ '--list': options.list })
    const weir = await client()
    const id = await needTeamId(weir, args.team)
    const given = parseFlagValues(teamViewForm, options, NAMED)
    const made = await weir.teams.shareView({ id, list: options.list ?? '', name: args.name, ...given })
    await print.done(made, teamViewView, {
      human: fillTemplate(words('Team {team} shares view {id} "{name}" of the list {list}.'), {
        team: made.team_name,
        id: made.id,
        name: made.name,
        list: made.list,
      }),
      quietOutput: String(made.id),
    })
  },
})

const rename = command({
  name: 'rename',
  output: { view: teamViewView, many: false },
  summary: words('Rename a view that a team shares, as an owner'),
  arguments: { team, view, name: { spec: '<name>', help: words('the new name') } },
  async run({ client, print, args }) {
    const weir = await client()
    const { team_id, id } = await findRequiredView(weir, args.team, args.view)
    const changed = await weir.teams.renameView({ id: team_id, view_id: id, name: args.name })
    await print.done(changed, teamViewView, {
      human: fillTemplate(words('View {id} is called "{name}".'), { id, name: changed.name }),
      quietOutput: String(id),
    })
  },
})

const remove = command({
  name: 'rm',
  aliases: ['delete'],
  output: { view: teamViewView, many: false },
  summary: words('Delete a view that a team shares, as an owner'),
  arguments: { team, view },
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const found = await findRequiredView(weir, args.team, args.view)
    const values = { id: found.id, name: found.name, team: found.team_name }
    await sure(fillTemplate(words('Delete view {id} "{name}" of team {team}?'), values))
    await weir.teams.deleteView({ id: found.team_id, view_id: found.id })
    await print.done(found, teamViewView, {
      human: fillTemplate(words('Deleted view {id} "{name}" of team {team}.'), values),
      quietOutput: String(found.id),
    })
  },
})

export const viewsCommand = group({
  name: 'views',
  summary: words('Views of lists in the console that a team shares'),
  commands: [list, add, rename, remove],
})
