// Accounts that administrators make: with a password, or for the owner of an e-mail address, who sets one by a link.
import { EmailAddress } from '../auth/email-address.ts'
import type { HandlerContext } from '../auth/caller.ts'
import { INVITATION_LIFETIME_MINUTES, resetLink } from '../auth/reset.ts'
import { createVerifications } from '../auth/verification.ts'
import { fail, GatewayError } from '../errors.ts'
import type { CountMail } from '../limits/mails.ts'
import type { SendMail } from './email.ts'
import { buildInvitationMail } from './message.ts'
import type { HostMachine } from '../ports/machine.ts'
import type { Random } from '../ports/random.ts'
import { createUserAccount, type CreateUserPorts, type NewAccount } from '../users/create-user.ts'
import { MAX_USERNAME_LENGTH, UsernameText, type User } from '../users/user.ts'

export interface InvitationPorts extends CreateUserPorts {
  random: Random
  machine: Pick<HostMachine, 'address'>
  sendMail: SendMail
  countMail: CountMail
}

interface Invitation {
  /** The link that sets the password. */
  link: string
  mailed: boolean
  /** Why no mail was sent, in the caller's language; empty if one was. */
  failure: string
}

const MINUTES_PER_DAY = 24 * 60
/** Letters at the end of a username whose plain form is taken. */
const ENDING_LENGTH = 4
const MAX_ATTEMPTS = 5

/** Creates an account with a password. @throws GatewayError user.required, email.*, and those of `createUserAccount` */
export async function createUserWithPassword(ports: CreateUserPorts, account: NewAccount): Promise<User> {
  if (account.username.trim() === '' || account.password === '') fail('user.required')
  const email = account.email?.trim() ?? ''
  if (email !== '') await requireFreeAddress(ports, email)
  return createUserAccount(ports, { ...account, email })
}

/**
 * Creates an account without a password and sends its owner the link that sets one. Without a username it is named after
 * the address. The account is made even if the mail fails: the administrator gets the link.
 * @throws GatewayError email.invalid, email.taken, limit.requests, and those of `createUserAccount`
 */
export async function inviteUser(
  ports: InvitationPorts,
  account: NewAccount,
  context: HandlerContext,
): Promise<{ user: User; invitation: Invitation }> {
  const email = account.email?.trim() ?? ''
  await requireFreeAddress(ports, email)
  await ports.countMail(email, context)
  const user = await createNamedUser(ports, { ...account, email, password: null })
  const verifications = createVerifications(ports)
  const { link } = (await resetLink({ ...ports, verifications }, email, { isInvitation: true })) ?? fail('user.missing')
  const { language, user: administrator } = context.caller
  const mail = buildInvitationMail({
    to: email,
    language,
    system: ports.settings().SystemName,
    days: INVITATION_LIFETIME_MINUTES / MINUTES_PER_DAY,
    name: administrator?.display_name ?? ports.settings().SystemName,
    link,
  })
  try {
    await ports.sendMail(mail)
    return { user, invitation: { link, mailed: true, failure: '' } }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { user, invitation: { link, mailed: false, failure: error.explained(language) } }
  }
}

async function requireFreeAddress({ storage }: CreateUserPorts, email: string): Promise<void> {
  if (!EmailAddress.safeParse(email).success) fail('email.invalid')
  if (await storage.users.emailTaken(email)) fail('email.taken')
}

/** Creates the account under the given name, or one that is derived from the address and not taken. */
async function createNamedUser(ports: InvitationPorts, account: NewAccount): Promise<User> {
  if (account.username.trim() !== '') return createUserAccount(ports, account)
  const local = account.email!.slice(0, account.email!.indexOf('@'))
  const plain = UsernameText.safeParse(local.slice(0, MAX_USERNAME_LENGTH)).data ?? 'user'
  for (let attempt = 0; ; attempt += 1) {
    const ending = attempt === 0 ? '' : `_${ports.random.text(ENDING_LENGTH).toLowerCase()}`
    const username = plain.slice(0, MAX_USERNAME_LENGTH - ending.length) + ending
    try {
      return await createUserAccount(ports, { ...account, username })
    } catch (error) {
      const isTaken = error instanceof GatewayError && error.code === 'user.name_taken'
      if (!isTaken || attempt === MAX_ATTEMPTS) throw error
    }
  }
}
