// A new account: checked, inserted, and given its first quota through the ledger.
import { fail } from '../errors.ts'
import { eventLog, LOG_TYPE } from '../logs/log.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { EntryKind } from '../quota/ledger-entry.ts'
import type { Ledger } from '../quota/ledger.ts'
import { refuseLookalike } from './name.ts'
import { DisplayName, Password, Username, type User } from './user.ts'

interface Ports {
  storage: Storage
  ledger: Ledger
  secrets: Secrets
  clock: Clock
}

interface NewAccount {
  username: string
  password: string
  display_name: string
  role: number
  /** First credit, in quota units. */
  quota: number
  /** What the first credit is booked as. */
  kind: EntryKind
}

/** @throws GatewayError user.limits, user.name_taken */
export async function createUser({ storage, ledger, secrets, clock }: Ports, account: NewAccount): Promise<User> {
  const username = Username.safeParse(account.username)
  const password = Password.safeParse(account.password)
  const display_name = DisplayName.safeParse(account.display_name.trim().slice(0, 20))
  if (!username.success || !password.success || !display_name.success) fail('user.limits')
  await refuseLookalike(storage, username.data)
  const user = await storage.users.insert({
    username: username.data,
    display_name: display_name.data || username.data,
    role: account.role,
    group: 'default',
    password_hash: await secrets.hashPassword(password.data),
    created_time: seconds(clock),
  })
  await creditFirst({ ledger, clock }, user, account)
  return (await storage.users.find(user.id)) ?? user
}

/** The first quota of an account. Done once, however often it is asked for: a crash may have come before it. */
export async function creditFirst(
  { ledger, clock }: Pick<Ports, 'ledger' | 'clock'>,
  user: User,
  { quota, kind }: Pick<NewAccount, 'quota' | 'kind'>,
): Promise<void> {
  if (quota === 0) return
  await ledger.credit({
    user_id: user.id,
    kind,
    amount: quota,
    reference: `user ${user.id}`,
    log: eventLog(user, LOG_TYPE.system, seconds(clock), `New account: ${quota} quota`),
  })
}
