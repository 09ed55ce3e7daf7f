// `weir sessions …`: browser sessions of the user; on the host, those of the super administrator.
import { fillTemplate } from '../../core/errors.ts'
import { command, group } from '../command.ts'
import { UsageError } from '../failure.ts'
import { findRequiredSession, loginSessionView } from '../nouns/login-session.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { words } from '../texts.ts'

const list = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  readOnly: true,
  output: { view: loginSessionView, many: true },
  summary: words('List own sessions in browsers, latest use first'),
  async run({ client, print }) {
    await print.list(await (await client()).users.sessions(), loginSessionView, {
      empty: words('Signed in nowhere.'),
    })
  },
})

const end = command({
  name: 'end',
  aliases: ['rm'],
  output: { view: loginSessionView, many: true },
  summary: words('End an own session, or all of them: who has it must sign in again'),
  arguments: { id: { spec: '[id]', help: words('id of the session') } },
  options: {
    all: { flag: '--all', help: words('every one') },
    yes: { flag: '--yes', help: words('do not ask') },
  },
  async run({ client, print, ask, args, options }) {
    const { id } = args
    if ((id === undefined) === !options.all) throw new UsageError(words('Give an id or --all, one of them.'))
    const sure = requireConfirmation(ask, options.yes, words('end sessions'))
    const weir = await client()
    const ended = id === undefined ? await weir.users.sessions() : [await findRequiredSession(weir, id)]
    const ends = ended.filter(({ current }) => !current || id !== undefined)
    await sure(fillTemplate(words('End {count} of your sessions?'), { count: ends.length }))
    if (id === undefined) await weir.users.endSessions()
    else await weir.users.endSession({ id: Number(id) })
    if (print.form === 'human') return print.say(fillTemplate(words('Ended {count}.'), { count: ends.length }))
    await print.list(ends, loginSessionView)
  },
})

export const sessionsCommand = group({
  name: 'sessions',
  summary: words('Your sessions'),
  commands: [list, end],
})
