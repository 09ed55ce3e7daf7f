// Password reset: a single-use link by mail, and a new password for the person who opens it. Each link has its token,
// so that a stranger who only knows the address can neither replace it nor use up its attempts.
import { fail } from '../errors.ts'
import type { HostMachine } from '../ports/machine.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { toEmailKey } from './email-address.ts'
import { getServerAddress } from './server-address.ts'
import type { PendingVerifications } from './verification.ts'

interface PasswordResetPorts {
  storage: Storage
  secrets: Secrets
  random: Random
  verifications: PendingVerifications
  machine: Pick<HostMachine, 'address'>
  settings(): Settings
}

export const RESET_LIFETIME_MINUTES = 10
/** A week, in ms: an invitation is often read later than a reset, which was just requested. */
export const INVITATION_LIFETIME_MINUTES = 7 * 24 * 60
const TOKEN_LENGTH = 32
const PASSWORD_LENGTH = 12

/**
 * Returns a link for this address, and the address as the account has it; null if no account has it. The link of an
 * invitation sets the first password of a new account.
 */
export async function resetLink(
  { storage, secrets, random, verifications, machine, settings }: PasswordResetPorts,
  email: string,
  { isInvitation = false } = {},
): Promise<{ to: string; link: string } | null> {
  const found = await storage.users.findByLogin(email)
  if (!found || toEmailKey(found.user.email) !== toEmailKey(email)) return null
  const token = random.text(TOKEN_LENGTH)
  const minutes = isInvitation ? INVITATION_LIFETIME_MINUTES : RESET_LIFETIME_MINUTES
  await verifications.keep('reset', token, buildPasswordDigest(secrets, found), minutes)
  const query = new URLSearchParams({ email: found.user.email, token, ...(isInvitation ? { invited: 'true' } : {}) })
  // The requested address may only look like the account's, so the mail goes to the account's address.
  return { to: found.user.email, link: `${getServerAddress(settings(), machine)}/user/reset?${query}` }
}

/** Sets a new password for the owner of the token and ends every session. @throws GatewayError reset.invalid */
export async function setNewPassword(
  { storage, secrets, random, verifications }: PasswordResetPorts,
  { email, token }: { email: string; token: string },
): Promise<string> {
  const key = toEmailKey(email)
  if (key === '' || token === '') fail('reset.invalid')
  const found = await storage.users.findByLogin(email.trim())
  if (!found || toEmailKey(found.user.email) !== key) fail('reset.invalid')
  if (!(await verifications.matches('reset', token, buildPasswordDigest(secrets, found)))) fail('reset.invalid')
  if ((await verifications.take('reset', token)) === null) fail('reset.invalid')
  const password = random.text(PASSWORD_LENGTH)
  await storage.users.update(found.user.id, { password_hash: await secrets.hashPassword(password) })
  await storage.sessions.deleteOfUser(found.user.id)
  await storage.announce({ topic: 'users', id: found.user.id })
  return password
}

/** Returns the digest of account and password in a link. A changed password invalidates every earlier link. */
const buildPasswordDigest = (
  secrets: Secrets,
  { user, password_hash }: { user: { id: number }; password_hash: string },
) => secrets.hash(`${user.id} ${password_hash}`)
