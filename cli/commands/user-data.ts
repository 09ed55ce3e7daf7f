// `weir users export` and `weir users forget`: access to and erasure of personal data.
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate } from '../../core/errors.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { drawProgressBar } from '../output/progress.ts'
import { command } from '../command.ts'
import { words } from '../texts.ts'
import { findRequiredUser } from '../nouns/user.ts'
import { outFileOption, writeOutputFile } from '../output/out.ts'
import { waitOrAbort } from '../signals.ts'
import { count, time, type OutputView } from '../output/view.ts'

const user = { spec: '<user>', help: words('id or username') } as const

export const exportUserCommand = command({
  endpoint: 'privacy.export',
  name: 'export',
  readOnly: true,
  summary: words('Write all that is kept of a user as JSON'),
  details: words(
    'For a request of theirs to see it: account, sign-ins, tokens, sessions, ledger, orders, tasks, log. Passwords, keys and what channels cost are not in it. They get the same file themselves under Personal settings.',
  ),
  arguments: { user },
  options: {
    out: outFileOption,
  },
  async run({ client, print, args, options }) {
    const weir = await client()
    const { id } = await findRequiredUser(weir, args.user)
    const { pieces } = await weir.privacy.export({ user_id: id })
    await writeOutputFile(print, pieces, options.out)
  },
})

interface Forgotten extends Awaited<ReturnType<WeirClient['privacy']['forget']>> {
  id: number
}

const forgottenView: OutputView<Forgotten> = {
  id: count(words('ID'), 1, ({ id }) => id),
  asked_at: time(words('ASKED'), 1, ({ asked_at }) => asked_at),
  left: count(words('ROWS LEFT'), 1, ({ left }) => left),
  done_at: time(words('DONE', { context: 'time' }), 1, ({ done_at }) => done_at),
}

const POLL_MS = 500

export const forgetCommand = command({
  endpoint: 'privacy.forget',
  name: 'forget',
  output: { view: forgottenView, many: false },
  summary: words('Forget a user for good: names, addresses, secrets and their rows of the log'),
  details: words(
    "For a user's request for erasure. It cannot be undone. The account is deregistered. Names, addresses, sign-ins and prompts of tasks are deleted at once; log rows are deleted gradually, in every place that has some, while Weir serves. Ledger entries, orders and redeemed codes stay under the number of the account. Data that calls in progress write during the next day is deleted as well. Earlier backups are not changed.",
  ),
  arguments: { user },
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options, interrupted }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const { id, username } = await findRequiredUser(weir, args.user)
    await sure(fillTemplate(FORGET, { id, username }))
    let state = await weir.privacy.forget({ user_id: id })
    const total = state.left
    const share = () => `${drawProgressBar(total - state.left, total)} ${total - state.left}/${total}`
    const going = async () => {
      const signal = interrupted()
      while (state.left > 0 && !signal.aborted) {
        await waitOrAbort(POLL_MS, signal)
        state = await weir.privacy.forgetting({ user_id: id })
      }
    }
    if (total > 0) await ask.during(() => fillTemplate(words('Removing {share}'), { share: share() }), going())
    await print.done({ id, ...state }, forgottenView, {
      human: fillTemplate(state.left > 0 ? GOES_ON : FORGOTTEN, { id, left: state.left }),
      quietOutput: String(id),
    })
  },
})

const FORGET = words('Forget user {id} "{username}" for good? This cannot be undone.')
const FORGOTTEN = words('User {id} is forgotten.')
const GOES_ON = words('User {id} is forgotten; {left} rows of the log are still going.')
