// A new account: checked, inserted, and given its first quota through the ledger.
import { fail, type Language } from '../errors.ts'
import { formatEventText } from './user-language.ts'
import { formatLoggedQuota } from '../logs/event-texts.ts'
import { LOG_ROW_TYPE } from '../calls/log-entry.ts'
import { buildEventLog } from '../logs/log.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage, WriteTransaction } from '../ports/storage.ts'
import type { EntryKind } from '../quota/ledger-entry.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { refuseDisplayName } from './name.ts'
import { DisplayName, PasswordText, UsernameText, type User } from './user.ts'

export interface CreateUserPorts {
  storage: Storage
  ledger: Ledger
  secrets: Secrets
  clock: Clock
  settings(): Settings
}

export interface NewAccount {
  username: string
  /** null for an account without a password, whose owner sets one by a link. */
  password: string | null
  display_name: string
  role: number
  /** The default group if it is undefined. */
  group?: string
  email?: string
  remark?: string
  /** First credit, in quota units. */
  quota: number
  /** The ledger kind of the first credit. */
  kind: EntryKind
  /** The user who chose the first credit; undefined for the one that the settings give. */
  by_user_id?: number
  /** The language of the user who creates the account. */
  language: Language
  /** Audits the creation in the same transaction, if one user creates the account of another. */
  record?(within: WriteTransaction, user: User): Promise<void>
}

/** @throws GatewayError user.limits, user.name_taken, email.taken */
export async function createUserAccount(ports: CreateUserPorts, account: NewAccount): Promise<User> {
  const { storage, secrets, clock } = ports
  const username = UsernameText.safeParse(account.username)
  const password = account.password === null ? null : PasswordText.safeParse(account.password)
  if (!username.success || password?.success === false) fail('user.limits')
  const shown = DisplayName.safeParse(account.display_name)
  if (!shown.success) refuseDisplayName(account.display_name)
  const row = {
    username: username.data,
    display_name: shown.data || username.data,
    role: account.role,
    group: account.group ?? 'default',
    email: account.email ?? '',
    remark: account.remark ?? '',
    password_hash: password ? await secrets.hashPassword(password.data) : '',
    created_time: seconds(clock),
  }
  const user = await storage.transaction(async (within) => {
    const made = await within.users.insert(row)
    await account.record?.(within, made)
    return made
  })
  await creditWelcomeQuota(ports, user, account)
  return (await storage.users.find(user.id)) ?? user
}

/** Credits the first quota of an account. It is idempotent, since a crash may have come before it. */
export async function creditWelcomeQuota(
  { ledger, clock, settings }: Pick<CreateUserPorts, 'ledger' | 'clock' | 'settings'>,
  user: User,
  { quota, kind, by_user_id, language }: Pick<NewAccount, 'quota' | 'kind' | 'by_user_id' | 'language'>,
): Promise<void> {
  if (quota === 0) return
  await ledger.credit({
    account_id: user.id,
    kind,
    amount: quota,
    ...(by_user_id === undefined ? {} : { by_user_id }),
    reference: `user ${user.id}`,
    log: buildEventLog(
      user,
      LOG_ROW_TYPE.system,
      seconds(clock),
      formatEventText('account', { quota: formatLoggedQuota(quota, settings()) }, user, language),
    ),
  })
}
