// `weir users export` and `weir users forget`: access to and erasure of personal data.
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate, words } from '../../core/errors.ts'
import { requireConfirmation } from '../confirm.ts'
import { progressBar } from '../progress.ts'
import { command } from '../command.ts'
import { needUser } from '../nouns/user.ts'
import { outOption, writeOut } from '../out.ts'
import { pause } from '../signals.ts'
import { count, time, type View } from '../view.ts'

const user = { spec: '<user>', help: words('id or username', '编号或用户名') } as const

export const exportUser = command({
  name: 'export',
  readOnly: true,
  summary: words('Write all that is kept of a user as JSON', '将某用户的全部数据导出为 JSON'),
  details: words(
    'For a request of theirs to see it: account, sign-ins, tokens, sessions, ledger, orders, tasks, log. Passwords, keys and what channels cost are not in it. They get the same file themselves under Personal settings.',
    '用于用户的数据查阅请求：账户、登录方式、令牌、会话、账本、订单、任务、日志。其中没有密码、密钥与渠道成本。用户也可在个人设置中自行下载同一文件。',
  ),
  arguments: { user },
  options: {
    out: outOption,
  },
  async run({ client, print, args, options }) {
    const weir = await client()
    const { id } = await needUser(weir, args.user)
    const { pieces } = await weir.privacy.export({ user_id: id })
    await writeOut(print, pieces, options.out)
  },
})

interface Forgotten extends Awaited<ReturnType<WeirClient['privacy']['forget']>> {
  id: number
}

const forgottenView: View<Forgotten> = {
  id: count(words('ID', '编号'), 1, ({ id }) => id),
  asked_at: time(words('ASKED', '请求时间'), 1, ({ asked_at }) => asked_at),
  left: count(words('ROWS LEFT', '剩余记录'), 1, ({ left }) => left),
  done_at: time(words('DONE', '完成时间'), 1, ({ done_at }) => done_at),
}

const POLL_MS = 500

export const forget = command({
  name: 'forget',
  output: { view: forgottenView, many: false },
  summary: words(
    'Forget a user for good: names, addresses, secrets and their rows of the log',
    '彻底遗忘某用户：名称、地址、密钥及其日志记录',
  ),
  details: words(
    'For a request of theirs to be forgotten; nobody can undo it. The account is deregistered. Names, addresses, sign-ins and prompts of tasks go at once, rows of the log a few at a time while Weir serves, in every place that has any. Entries of the ledger stay, and orders and redeemed codes, by the number of the account. For a day what calls in progress still write goes, too. Backups that were made before keep all of it.',
    '用于用户的删除请求，无法撤销。账户将被注销。名称、地址、登录方式与任务提示词立即删除；日志记录在服务期间于各处分批删除。账本条目、订单与已用兑换码仅按账户编号保留。一天内，进行中的调用新写入的内容也会删除。此前的备份仍含全部数据。',
  ),
  arguments: { user },
  options: { yes: { flag: '--yes', help: words('do not ask', '不再询问') } },
  async run({ client, print, ask, args, options, interrupted }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const { id, username } = await needUser(weir, args.user)
    await sure(fillTemplate(FORGET, { id, username }))
    let state = await weir.privacy.forget({ user_id: id })
    const total = state.left
    const share = () => `${progressBar(total - state.left, total)} ${total - state.left}/${total}`
    const going = async () => {
      const signal = interrupted()
      while (state.left > 0 && !signal.aborted) {
        await pause(POLL_MS, signal)
        state = await weir.privacy.forgetting({ user_id: id })
      }
    }
    if (total > 0) await ask.during(() => words(`Removing ${share()}`, `正在删除 ${share()}`), going())
    await print.done({ id, ...state }, forgottenView, {
      human: fillTemplate(state.left > 0 ? GOES_ON : FORGOTTEN, { id, left: state.left }),
      bare: String(id),
    })
  },
})

const FORGET = words(
  'Forget user {id} "{username}" for good? This cannot be undone.',
  '彻底遗忘用户 {id} "{username}"？此操作无法撤销。',
)
const FORGOTTEN = words('User {id} is forgotten.', '已遗忘用户 {id}。')
const GOES_ON = words(
  'User {id} is forgotten; {left} rows of the log are still going.',
  '已遗忘用户 {id}；还有 {left} 条日志记录正在删除。',
)
