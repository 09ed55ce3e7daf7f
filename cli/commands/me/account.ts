// `weir me show`, `edit`, `notifications`, `invitation`, `transfer`, `export` and `rm`: the account of the signed-in user.
import type { WeirClient } from '../../../core/contracts.ts'
import { fillTemplate } from '../../../core/errors.ts'
import { parseUserSetting } from '../../../core/users/user.ts'
import { formatDollars } from '../../changed-amounts.ts'
import { command } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { parseQuotaFlag } from '../../input/amount.ts'
import { requireConfirmation } from '../../input/confirm.ts'
import { convertToUnits, parseFlagValues, toFlags } from '../../input/flags.ts'
import { ownAccountView, type OwnAccount } from '../../nouns/me.ts'
import { outFileOption, writeOutputFile } from '../../output/out.ts'
import { words } from '../../texts.ts'
import { ownForm, settingForm } from '../../input/forms.built.ts'

const NOTHING = words('Nothing to change: `--help` lists the flags.')

export const showCommand = command({
  endpoint: 'users.self',
  name: 'show',
  isDefault: true,
  readOnly: true,
  output: { view: ownAccountView, many: false },
  summary: words('Show your account: balance, notifications, invitation code, authenticator app'),
  async run({ client, print }) {
    const weir = await client()
    const account = await loadOwnAccount(weir)
    await print.one(account, ownAccountView, { quietOutput: String(account.user.id) })
  },
})

/** Loads the account with its settings, invitation code and authenticator app. */
export async function loadOwnAccount(weir: WeirClient): Promise<OwnAccount> {
  const [user, invitation, totp] = await Promise.all([weir.users.self(), weir.users.aff(), weir.auth.totp()])
  return { user, setting: parseUserSetting(user), invitation, totp }
}

/** Flags of the names; the password has its own command. */
const WITHOUT_PASSWORD = ['password', 'original_password', 'version'] as const

export const editCommand = command({
  endpoint: 'users.updateSelf',
  name: 'edit',
  output: { view: ownAccountView, many: false },
  summary: words('Change your username or display name'),
  options: toFlags(ownForm, [...WITHOUT_PASSWORD]),
  async run({ client, print, options }) {
    const change = parseFlagValues(ownForm, options, WITHOUT_PASSWORD)
    if (Object.keys(change).length === 0) throw new UsageError(NOTHING)
    const weir = await client()
    await weir.users.updateSelf(change)
    await print.done(await loadOwnAccount(weir), ownAccountView, {
      human: words('Your account is changed.'),
      quietOutput: await readOwnId(weir),
    })
  },
})

export const notificationsCommand = command({
  endpoint: 'users.setting',
  name: 'notifications',
  output: { view: ownAccountView, many: false },
  summary: words('Change how you are warned of a low balance, or send a test; what is left out stays'),
  options: {
    ...toFlags(settingForm, [], { quota_warning_threshold: words('as it is') }),
    test: { flag: '--test', help: words('send a test to where you are warned, after the changes') },
  },
  async run({ client, money, print, options: { test, ...flags } }) {
    const change = parseFlagValues(settingForm, flags)
    const isChanged = Object.keys(change).length > 0
    if (!isChanged && !test) throw new UsageError(NOTHING)
    const weir = await client()
    if (isChanged) {
      const { language: _language, ...current } = parseUserSetting(await weir.users.self())
      await weir.users.setting({ notify_type: 'email', ...current, ...(await convertToUnits(change, money)) })
    }
    if (test) await weir.users.testNotice()
    await print.done(await loadOwnAccount(weir), ownAccountView, {
      human: test ? words('A test is sent to where you are warned.') : words('Your notifications are changed.'),
      quietOutput: await readOwnId(weir),
    })
  },
})

export const invitationCommand = command({
  endpoint: 'users.aff',
  name: 'invitation',
  readOnly: true,
  summary: words('Print your invitation code'),
  async run({ client, print }) {
    const code = await (await client()).users.aff()
    await print.text(code, code)
  },
})

/** The whole of the earnings, instead of an amount. */
const EVERYTHING = 'all'

export const transferCommand = command({
  endpoint: 'users.affTransfer',
  name: 'transfer',
  output: { view: ownAccountView, many: false },
  summary: words('Move invitation earnings to your balance'),
  details: words('weir me transfer 5usd, or weir me transfer all'),
  arguments: {
    amount: { spec: '<amount>', help: words('dollars like 5usd, quota units, or all') },
  },
  async run({ client, money, print, args }) {
    const parseUnits =
      args.amount === EVERYTHING ? undefined : parseQuotaFlag('<amount>', args.amount, { zero: 'refused' })
    const weir = await client()
    const { user: before } = await loadOwnAccount(weir)
    const shown = await money()
    const quota = parseUnits ? parseUnits(shown) : before.aff_quota
    await weir.users.affTransfer({ quota })
    const account = await loadOwnAccount(weir)
    await print.done(account, ownAccountView, {
      human: fillTemplate(TRANSFERRED, {
        moved: formatDollars(quota, shown),
        before: formatDollars(before.quota, shown),
        after: formatDollars(account.user.quota, shown),
        left: formatDollars(account.user.aff_quota, shown),
      }),
      quietOutput: String(before.id),
    })
  },
})

const TRANSFERRED = words('Moved {moved} to your balance: {before} → {after}. Invitation earnings left: {left}.')

export const exportCommand = command({
  endpoint: 'privacy.exportSelf',
  name: 'export',
  readOnly: true,
  summary: words('Write all that is kept of you as JSON'),
  details: words(
    'Account, sign-ins, tokens, sessions, ledger, orders, tasks and log. Passwords and keys are not in it.',
  ),
  options: { out: outFileOption },
  async run({ client, print, options }) {
    const { pieces } = await (await client()).privacy.exportSelf()
    await writeOutputFile(print, pieces, options.out)
  },
})

export const removeCommand = command({
  endpoint: 'users.deleteSelf',
  name: 'rm',
  aliases: ['delete'],
  output: { view: ownAccountView, many: false },
  summary: words('Deregister your account: your sessions, tokens and access tokens end'),
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const account = await loadOwnAccount(weir)
    const { id, username } = account.user
    await sure(fillTemplate(REMOVE, { id, username }))
    await weir.users.deleteSelf()
    await print.done(account, ownAccountView, {
      human: fillTemplate(words('Your account {id} "{username}" is deregistered.'), { id, username }),
      quietOutput: String(id),
    })
  },
})

const REMOVE = words('Deregister your account {id} "{username}"? Only an administrator can see it afterwards.')

/** Returns the id of the signed-in user, as --quiet prints it. */
export const readOwnId = async (weir: WeirClient): Promise<string> => String((await weir.users.self()).id)
