// New accounts that people make for themselves, with a password or through another service.
import { fail, GatewayError, type Language } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { formatEventText } from '../users/user-language.ts'
import { formatLoggedQuota } from '../logs/event-texts.ts'
import { LOG_ROW_TYPE } from '../calls/log-entry.ts'
import { buildEventLog } from '../logs/log.ts'
import { creditWelcomeQuota } from '../users/create-user.ts'
import type { NewUser } from '../users/store.ts'
import type { User } from '../users/user.ts'
import { MAX_DISPLAY_NAME, MAX_USERNAME_LENGTH, PasswordText, USER_ROLE, UsernameText } from '../users/user.ts'
import { checkEmail } from './email-address.ts'
import type { HandlerContext } from './caller.ts'
import type { MailedCodes } from './mail-codes.ts'

export interface RegistrationPorts {
  storage: Storage
  ledger: Ledger
  secrets: Secrets
  clock: Clock
  random: Random
  settings(): Settings
}

interface Registration {
  username: string
  password: string
  password2?: string
  email: string
  verification_code: string
  aff_code: string
}

/**
 * Registers with a password.
 * @throws GatewayError register.*, user.limits, user.name_taken, email.*, verification.wrong
 */
export async function registerWithPassword(
  ports: RegistrationPorts & { mailCodes: MailedCodes },
  form: Registration,
  context: HandlerContext,
): Promise<User> {
  const { settings, storage, mailCodes, secrets } = ports
  const current = settings()
  if (!current.RegisterEnabled) fail('register.closed')
  if (!current.PasswordRegisterEnabled) fail('register.password_closed')
  const username = UsernameText.safeParse(form.username)
  const password = PasswordText.safeParse(form.password)
  if (!username.success || !password.success) fail('user.limits')
  if (form.password2 && form.password2 !== form.password) fail('setup.password_mismatch')
  const email = current.EmailVerificationEnabled ? form.email.trim() : ''
  if (current.EmailVerificationEnabled) {
    if (email === '' || form.verification_code === '') fail('register.email_needed')
    checkEmail(email, current)
    await mailCodes.check(email, form.verification_code, context)
    if (await storage.users.emailTaken(email)) fail('email.taken')
  }
  const user = await createAccount(ports, {
    username: username.data,
    display_name: username.data,
    email,
    password_hash: await secrets.hashPassword(password.data),
    aff_code: form.aff_code,
    language: context.caller.language,
  })
  if (email !== '') await mailCodes.use(email, context)
  return user
}

interface Account extends Pick<NewUser, 'username' | 'display_name' | 'email' | 'password_hash'> {
  aff_code: string
  language: Language
}

/** Inserts the account and gives what new users, invited ones and their inviters get. */
async function createAccount(ports: RegistrationPorts, { aff_code, language, ...account }: Account): Promise<User> {
  const { storage, clock } = ports
  // An unknown code does not prevent the registration. A banned or deleted inviter gets no reward.
  const inviter = await storage.users.findByInvitation(aff_code.trim())
  const invited = inviter?.status === 1 ? inviter : null
  const user = await storage.users.insert({
    ...account,
    role: USER_ROLE.user,
    group: 'default',
    created_time: seconds(clock),
    ...(invited ? { inviter_id: invited.id } : {}),
  })
  await creditWelcomeQuota(ports, user, { quota: ports.settings().QuotaForNewUser, kind: 'gift', language })
  if (invited) await rewardInvitation(ports, user, invited, language)
  return (await storage.users.find(user.id)) ?? user
}

/** Rewards an invitation, once for each invited user. It is idempotent. */
async function rewardInvitation(ports: RegistrationPorts, user: User, inviter: User, language: Language) {
  const { ledger, settings, clock } = ports
  const { QuotaForInvitee, QuotaForInviter } = settings()
  const row = (who: User, name: 'invited' | 'inviter', quota: number) => {
    const text = formatEventText(name, { quota: formatLoggedQuota(quota, settings()) }, who, language)
    return quota > 0 ? [buildEventLog(who, LOG_ROW_TYPE.system, seconds(clock), text)] : []
  }
  await ledger.credit({
    account_id: user.id,
    kind: 'gift',
    amount: QuotaForInvitee,
    reference: `invited ${user.id}`,
    earnings: { user_id: inviter.id, amount: QuotaForInviter },
    logs: [...row(user, 'invited', QuotaForInvitee), ...row(inviter, 'inviter', QuotaForInviter)],
  })
}

/** Somebody another service vouches for. */
export interface NewExternalUser {
  /** `github`, `oidc`…: usernames begin with it. */
  provider: string
  username?: string
  display_name: string
  /** Only if the service states that it is verified. */
  email?: string
  aff_code: string
  language: Language
}

/** An account without a password. @throws GatewayError register.closed */
export async function registerExternalUser(ports: RegistrationPorts, newcomer: NewExternalUser): Promise<User> {
  const { settings, storage, random } = ports
  if (!settings().RegisterEnabled) fail('register.closed')
  const { provider, username = '', email = '', aff_code, language } = newcomer
  const display_name = newcomer.display_name.replace(/\p{C}/gu, '').trim().slice(0, MAX_DISPLAY_NAME)
  // An address of another account is not used: knowing it must not give access.
  const free = email !== '' && email.length <= 50 && !(await storage.users.emailTaken(email)) ? email : ''
  const wished = UsernameText.safeParse(username)
  const names = wished.success ? [wished.data] : []
  for (let attempt = 0; ; attempt += 1) {
    const name = names[attempt] ?? `${provider.slice(0, MAX_USERNAME_LENGTH - 7)}_${random.text(6).toLowerCase()}`
    try {
      const account = { username: name, display_name: display_name || name, email: free, password_hash: '' }
      return await createAccount(ports, { ...account, aff_code, language })
    } catch (error) {
      const again = error instanceof GatewayError && error.code === 'user.name_taken' && attempt < MAX_ATTEMPTS
      if (!again) throw error
    }
  }
}

const MAX_ATTEMPTS = 5
