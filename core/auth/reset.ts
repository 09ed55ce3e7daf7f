// A forgotten password: a link by mail, good once, and a new password for who opens it. A link goes by its own token, so that
// nobody who only knows the address can replace it or use up its tries.
import { fail } from '../errors.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { emailKey } from './email-address.ts'
import { serverAddress } from './server-address.ts'
import type { Verifications } from './verification.ts'

interface Ports {
  storage: Storage
  secrets: Secrets
  random: Random
  verifications: Verifications
  settings(): Settings
}

export const RESET_MINUTES = 10
const TOKEN_LENGTH = 32
const PASSWORD_LENGTH = 12

/** A link for this address, and the address as the account has it; null where nobody has it. */
export async function resetLink(
  { storage, secrets, random, verifications, settings }: Ports,
  email: string,
): Promise<{ to: string; link: string } | null> {
  const found = await storage.users.findByLogin(email)
  if (!found || emailKey(found.user.email) !== emailKey(email)) return null
  const token = random.text(TOKEN_LENGTH)
  await verifications.keep('reset', token, proofOf(secrets, found), RESET_MINUTES)
  const query = new URLSearchParams({ email: found.user.email, token })
  // What was asked for may only look like the account's address: the mail goes to the account's own.
  return { to: found.user.email, link: `${serverAddress(settings())}/user/reset?${query}` }
}

/** A new password for who has the token; every session ends. @throws GatewayError reset.invalid */
export async function resetPassword(
  { storage, secrets, random, verifications }: Ports,
  { email, token }: { email: string; token: string },
): Promise<string> {
  const key = emailKey(email)
  if (key === '' || token === '') fail('reset.invalid')
  const found = await storage.users.findByLogin(email.trim())
  if (!found || emailKey(found.user.email) !== key) fail('reset.invalid')
  if (!(await verifications.matches('reset', token, proofOf(secrets, found)))) fail('reset.invalid')
  if ((await verifications.take('reset', token)) === null) fail('reset.invalid')
  const password = random.text(PASSWORD_LENGTH)
  await storage.users.update(found.user.id, { password_hash: await secrets.hashPassword(password) })
  await storage.sessions.deleteOfUser(found.user.id)
  await storage.announce({ topic: 'users', id: found.user.id })
  return password
}

/** Of which account with which password a link is: with another one, every link that was sent before is worth nothing. */
const proofOf = (secrets: Secrets, { user, password_hash }: { user: { id: number }; password_hash: string }) =>
  secrets.hash(`${user.id} ${password_hash}`)
