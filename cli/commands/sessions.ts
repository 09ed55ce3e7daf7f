// `weir sessions …`: browser sessions of the user; on the host, those of the super administrator.
import { fillTemplate, words } from '../../core/errors.ts'
import { command, group } from '../command.ts'
import { UsageError } from '../failure.ts'
import { needSession, sessionView } from '../nouns/login-session.ts'
import { requireConfirmation } from '../confirm.ts'

const list = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  readOnly: true,
  output: { view: sessionView, many: true },
  summary: words('List own sessions in browsers, latest use first', '列出自己的浏览器会话，最近使用的在前'),
  async run({ client, print }) {
    await print.list(await (await client()).users.sessions(), sessionView, {
      empty: words('Signed in nowhere.', '没有登录任何地方。'),
    })
  },
})

const end = command({
  name: 'end',
  aliases: ['rm'],
  output: { view: sessionView, many: true },
  summary: words(
    'End an own session, or all of them: who has it must sign in again',
    '结束自己的一个或全部会话：须重新登录',
  ),
  arguments: { id: { spec: '[id]', help: words('id of the session', '会话编号') } },
  options: {
    all: { flag: '--all', help: words('every one', '全部会话') },
    yes: { flag: '--yes', help: words('do not ask', '不再询问') },
  },
  async run({ client, print, ask, args, options }) {
    const { id } = args
    if ((id === undefined) === !options.all)
      throw new UsageError(words('Give an id or --all, one of them.', '请给出编号或 --all，二者择一。'))
    const sure = requireConfirmation(ask, options.yes, words('end sessions', '结束会话'))
    const weir = await client()
    const ended = id === undefined ? await weir.users.sessions() : [await needSession(weir, id)]
    const ends = ended.filter(({ current }) => !current || id !== undefined)
    await sure(
      fillTemplate(words('End {count} of your sessions?', '结束您的 {count} 个会话？'), { count: ends.length }),
    )
    if (id === undefined) await weir.users.endSessions()
    else await weir.users.endSession({ id: Number(id) })
    if (print.form === 'human')
      return print.say(fillTemplate(words('Ended {count}.', '已结束 {count} 个会话。'), { count: ends.length }))
    await print.list(ends, sessionView)
  },
})

export const sessions = group({
  name: 'sessions',
  summary: words('Your sessions', '登录会话'),
  commands: [list, end],
})
