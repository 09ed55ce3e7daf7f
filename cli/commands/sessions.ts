// `weir sessions …`, also as `weir me sessions`: browser sessions of the user; on the host, those of the super
// administrator.
import { fillTemplate } from '../../core/errors.ts'
import { command, group, LIST_COMMAND } from '../command.ts'
import { UsageError, GatewayRefusal } from '../failure.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { findRequiredUser, needUserId } from '../nouns/user.ts'
import type { ResultPrinter } from '../output/output.ts'
import { words } from '../texts.ts'
import { otherUserOption } from './tokens/look.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { parseId } from '../input/flags.ts'
import { count, flag, text, time, type OutputView } from '../output/view.ts'

type LoginSession = Awaited<ReturnType<WeirClient['users']['sessions']>>[number]

const loginSessionView: OutputView<LoginSession> = {
  id: count(words('ID'), 1, ({ id }) => id),
  last_use: time(words('LAST USE'), 1, (session) => session.used_time),
  ip: text(words('ADDRESS'), 2, ({ ip }) => ip),
  user_agent: text(words('PROGRAM'), 2, (session) => session.user_agent, { flexible: true }),
  current: flag(words('THIS ONE'), 5, ({ current }) => current),
  signed_in: time(words('SIGNED IN'), 3, (session) => session.created_time),
  expires: time(words('EXPIRES'), 4, (session) => session.expires_time),
}

/** Returns the caller's session by id. @throws Refusal if it does not exist */
async function findRequiredSession(weir: WeirClient, text: string): Promise<LoginSession> {
  const id = parseId(text)
  const found = (await weir.users.sessions()).find((session) => session.id === id)
  if (found) return found
  throw new GatewayRefusal(
    fillTemplate(words('Session {id} not found: see `weir sessions`.'), { id }),
    'session.missing',
  )
}

const list = command({
  ...LIST_COMMAND,
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
