// `weir sessions …`, also as `weir me sessions`: browser sessions of the user; on the host, those of the super
// administrator.
import { fillTemplate } from '../../core/errors.ts'
import { command, group } from '../command.ts'
import { UsageError } from '../failure.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { findRequiredSession, loginSessionView, type LoginSession } from '../nouns/login-session.ts'
import { findRequiredUser, needUserId } from '../nouns/user.ts'
import type { ResultPrinter } from '../output/output.ts'
import { words } from '../texts.ts'
import { otherUserOption } from './tokens/look.ts'

const list = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  readOnly: true,
  output: { view: loginSessionView, many: true },
  summary: words("List your browser sessions, latest use first, or another user's"),
  options: { user: otherUserOption },
  async run({ client, print, options: { user } }) {
    const { users } = await client()
    const rows =
      user === undefined
        ? await users.sessions()
        : await users.sessionsOf({ user_id: await needUserId(await client(), user) })
    await print.list(rows, loginSessionView, { empty: words('Signed in nowhere.') })
  },
})

const end = command({
  name: 'end',
  aliases: ['rm'],
  output: { view: loginSessionView, many: true },
  summary: words('End one of your sessions, or all of them; with --user all sessions of another user'),
  arguments: { id: { spec: '[id]', help: words('id of the session') } },
  options: {
    all: { flag: '--all', help: words('every one') },
    user: otherUserOption,
    yes: { flag: '--yes', help: words('do not ask') },
  },
  async run({ client, print, ask, args, options }) {
    const { id } = args
    if ((id === undefined) === !options.all) throw new UsageError(words('Give an id or --all, one of them.'))
    if (options.user !== undefined && !options.all) throw new UsageError(ALL_OF_USER)
    const sure = requireConfirmation(ask, options.yes, words('end sessions'))
    const weir = await client()
    if (options.user !== undefined) {
      const { id: user_id, username } = await findRequiredUser(weir, options.user)
      const ends = await weir.users.sessionsOf({ user_id })
      await sure(fillTemplate(words('End {count} sessions of {username}?'), { count: ends.length, username }))
      await weir.users.endSessionsOf({ user_id })
      return printEnded(print, ends)
    }
    const ended = id === undefined ? await weir.users.sessions() : [await findRequiredSession(weir, id)]
    const ends = ended.filter(({ current }) => !current || id !== undefined)
    await sure(fillTemplate(words('End {count} of your sessions?'), { count: ends.length }))
    if (id === undefined) await weir.users.endSessions()
    else await weir.users.endSession({ id: Number(id) })
    await printEnded(print, ends)
  },
})

const ALL_OF_USER = words('Of another user all sessions end together: give --all.')

async function printEnded(print: ResultPrinter, ends: readonly LoginSession[]): Promise<void> {
  if (print.form === 'human') return print.say(fillTemplate(words('Ended {count}.'), { count: ends.length }))
  await print.list(ends, loginSessionView)
}

export const sessionsCommand = group({
  name: 'sessions',
  summary: words('Your sessions'),
  commands: [list, end],
})
