// `weir me …`: the account of the signed-in user; on the host, that of the super administrator.
import type { WeirClient } from '../../core/contracts.ts'
import { OwnForm, SettingForm } from '../../core/users/contract.ts'
import { parseUserSetting, type User } from '../../core/users/user.ts'
import { command, group } from '../command.ts'
import { UsageError } from '../failure.ts'
import { convertToUnits, parseFlagValues, toFlags } from '../input/flags.ts'
import { ownAccountView } from '../nouns/me.ts'
import { words } from '../texts.ts'

const NOTHING = words('Nothing to change: `--help` lists the flags.')

const show = command({
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

async function loadOwnAccount(weir: WeirClient) {
  const [user, invitation, totp] = await Promise.all([weir.users.self(), weir.users.aff(), weir.auth.totp()])
  return { user, setting: parseUserSetting(user), invitation, totp }
}

/** Flags of the names; the password has its own command. */
const WITHOUT_PASSWORD = ['password', 'original_password', 'version'] as const

const edit = command({
  endpoint: 'users.updateSelf',
  name: 'edit',
  output: { view: ownAccountView, many: false },
  summary: words('Change your username or display name'),
  options: toFlags(OwnForm, [...WITHOUT_PASSWORD]),
  async run({ client, print, options }) {
    const change = parseFlagValues(OwnForm, options, WITHOUT_PASSWORD)
    if (Object.keys(change).length === 0) throw new UsageError(NOTHING)
    const weir = await client()
    await weir.users.updateSelf(change)
    await print.done(await loadOwnAccount(weir), ownAccountView, {
      human: words('Your account is changed.'),
      quietOutput: await readOwnId(weir),
    })
  },
})

const notifications = command({
  endpoint: 'users.setting',
  name: 'notifications',
  output: { view: ownAccountView, many: false },
  summary: words('Change how you are warned of a low balance; what is left out stays'),
  options: toFlags(SettingForm, [], { quota_warning_threshold: words('as it is') }),
  async run({ client, money, print, options }) {
    const change = parseFlagValues(SettingForm, options)
    if (Object.keys(change).length === 0) throw new UsageError(NOTHING)
    const weir = await client()
    const { language: _language, ...current } = parseUserSetting(await weir.users.self())
    await weir.users.setting({ notify_type: 'email', ...current, ...(await convertToUnits(change, money)) })
    await print.done(await loadOwnAccount(weir), ownAccountView, {
      human: words('Your notifications are changed.'),
      quietOutput: await readOwnId(weir),
    })
  },
})

const invitation = command({
  endpoint: 'users.aff',
  name: 'invitation',
  readOnly: true,
  summary: words('Print your invitation code'),
  async run({ client, print }) {
    const code = await (await client()).users.aff()
    await print.text(code, code)
  },
})

const readOwnId = async (weir: WeirClient): Promise<string> => {
  const { id }: Pick<User, 'id'> = await weir.users.self()
  return String(id)
}

export const meCommand = group({
  name: 'me',
  summary: words('Your own account'),
  commands: [show, edit, notifications, invitation],
})
