// The operations of users on their account.
import type { HandlerContext } from '../auth/caller.ts'
import { checkPassword, getPasswordTarget, type SignInAttemptPorts } from '../auth/sign-in.ts'
import { fail, type Language } from '../errors.ts'
import { formatQuotaText } from '../pricing/display.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Storage, WriteTransaction } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { formatEventText } from './user-language.ts'
import { formatLoggedQuota } from '../logs/event-texts.ts'
import { LOG_ROW_TYPE } from '../calls/log-entry.ts'
import { buildEventLog } from '../logs/log.ts'
import { refuseDisplayName } from './name.ts'
import type { User, UserSetting } from './user.ts'
import { DisplayName, isRoot, PasswordText, parseUserSetting, UsernameText } from './user.ts'

export interface AccountPorts extends SignInAttemptPorts {
  storage: Storage
  ledger: Ledger
  clock: Clock
  random: Random
  settings(): Settings
}

const CODE_LENGTH = 8

interface OwnChanges {
  username?: string
  display_name?: string
  password: string
  original_password: string
  version?: number
}

/** @throws GatewayError user.limits, user.name_taken, user.new_password, user.wrong_original, user.same_password, edit.conflict */
export async function updateOwnAccount(
  ports: AccountPorts,
  user: User,
  { username, display_name, password, original_password, version }: OwnChanges,
  context: HandlerContext,
): Promise<void> {
  const { storage, secrets, clock } = ports
  const name = UsernameText.optional().safeParse(username === user.username ? undefined : username)
  const shown = DisplayName.optional().safeParse(display_name === user.display_name ? undefined : display_name)
  const fresh = PasswordText.safeParse(password)
  if (username?.trim() === '' || display_name?.trim() === '') fail('user.name_empty')
  if (!shown.success) refuseDisplayName(display_name)
  if (!name.success || (password !== '' && !fresh.success)) fail('user.limits')
  // A form that sends the old password means to change it.
  if (password === '' && original_password !== '') fail('user.new_password', {}, { field: 'password' })
  if (password !== '') {
    const hash = await storage.users.passwordHash(user.id)
    // A user of another sign-in service has no password yet, and may set one.
    const target = getPasswordTarget(user.id)
    if (hash !== '')
      await checkPassword(ports, { target, password: original_password, hash }, context, () =>
        fail('user.wrong_original'),
      )
    if (hash !== '' && password === original_password) fail('user.same_password')
  }
  const patch = {
    username: name.data,
    display_name: shown.data,
    ...(password === '' ? {} : { password_hash: await secrets.hashPassword(password) }),
  }
  const raises = Object.values(patch).some((value) => value !== undefined)
  await storage.users.update(user.id, patch, { version, raises })
  const { current, presented } = context.session
  if (password !== '') await storage.sessions.deleteOfUser(user.id, current?.id)
  await storage.announce({ topic: 'users', id: user.id })
  if (password === '') return
  // The other browsers are forgotten, as their sessions are.
  if (presented !== '') {
    const hash = secrets.hash(presented)
    await storage.browsers.remember(user.id, { before: hash, hash }, seconds(clock))
  }
}

/** Deregisters, at a time in epoch seconds: the account stays, its sessions and access tokens do not. @throws GatewayError user.root_delete, user.deregistered, user.owns_team */
export async function deregisterUser(within: WriteTransaction, user: User, deleted_at: number): Promise<void> {
  if (isRoot(user)) fail('user.root_delete')
  await within.users.lock(user.id)
  if ((await within.users.find(user.id))?.DeletedAt !== null) fail('user.deregistered')
  await within.users.update(user.id, { deleted_at })
  for (const { id, name } of await within.teams.ofUser(user.id)) {
    // A team is never without an owner: of two who leave at once, the second one sees it.
    await within.teams.lock(id)
    const owners = await within.teams.ownerIds(id)
    if (owners.length === 1 && owners[0] === user.id) fail('user.owns_team', { team: name })
    await within.teams.removeMember(id, user.id, deleted_at)
  }
  await within.teamInvitations.removeOfUser(user.id)
  await within.accessTokens.deleteOfUser(user.id)
  await within.sessions.deleteOfUser(user.id)
  await within.keptResponses.removeOfUser(user.id)
  await within.bodies.removeOfUser(user.id)
}

/** Returns the user's invitation code; accounts registered with it count as invited by this user. */
export const createInvitationCode = ({ storage, random }: Pick<AccountPorts, 'storage' | 'random'>, userId: number) =>
  storage.users.invitationCode(userId, () => random.text(CODE_LENGTH))

/** Moves invitation earnings into the balance. @throws GatewayError invitation.minimum, invitation.short */
export async function transferEarnings(
  { ledger, settings, clock }: AccountPorts,
  user: User,
  quota: number,
  language: Language,
): Promise<void> {
  const least = settings().QuotaPerUnit
  if (quota < least)
    fail('invitation.minimum', {
      quota: formatQuotaText(least, {
        quota_per_unit: least,
        display_in_currency: settings().DisplayInCurrencyEnabled,
      }),
    })
  await ledger.credit({
    account_id: user.id,
    kind: 'invitation',
    amount: quota,
    earnings: { user_id: user.id, amount: -quota },
    log: buildEventLog(
      user,
      LOG_ROW_TYPE.system,
      seconds(clock),
      formatEventText('earnings', { quota: formatLoggedQuota(quota, settings()) }, user, language),
    ),
  })
}

/**
 * Changes a user's notification settings. Only the fields of the chosen channel are stored. @throws GatewayError
 * warning.*, email.invalid
 */
export async function changeUserSetting(
  { storage, secrets }: AccountPorts,
  { user, language }: { user: User; language: Language },
  given: Omit<UserSetting, 'notify_type' | 'language'> & { notify_type: string; quota_warning_threshold: number },
): Promise<void> {
  const { notify_type, quota_warning_threshold, webhook_url = '', webhook_secret, notification_email = '' } = given
  if (notify_type !== 'email' && notify_type !== 'webhook') fail('warning.type')
  if (!(quota_warning_threshold > 0)) fail('warning.threshold')
  const setting: UserSetting = { notify_type, quota_warning_threshold, language }
  if (notify_type === 'webhook') {
    if (webhook_url.trim() === '') fail('warning.webhook_missing')
    if (!URL.canParse(webhook_url) || new URL(webhook_url).protocol !== 'https:') fail('warning.webhook_https')
    setting.webhook_url = webhook_url
    // Forms never get the stored secret to send back: an empty one means "keep".
    const sealed = webhook_secret
      ? secrets.encrypt(webhook_secret, ['users.setting', user.id])
      : parseUserSetting(user).webhook_secret
    if (sealed) setting.webhook_secret = sealed
  } else if (notification_email !== '') {
    if (!/^[^\s@]+@[^\s@]+$/.test(notification_email)) fail('email.invalid')
    setting.notification_email = notification_email
  }
  setting.accept_unset_model_ratio_model = given.accept_unset_model_ratio_model ?? false
  await storage.users.update(user.id, { setting: JSON.stringify(setting) })
  await storage.announce({ topic: 'users', id: user.id })
}
