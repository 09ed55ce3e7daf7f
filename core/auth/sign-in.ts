// The last step of every sign-in: the account must be active, and a second factor requires its code.
import { fail } from '../errors.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { IdentityServices } from '../ports/identity.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import { type User, USER_STATUS, parseUserSetting } from '../users/user.ts'
import type { HandlerContext } from './caller.ts'
import type { PendingVerifications } from './verification.ts'

export interface SignInPorts extends SignInAttemptPorts {
  storage: Storage
  clock: Clock
  random: Random
  identity: IdentityServices
  verifications: PendingVerifications
}

const SECOND_FACTOR_MINUTES = 5

/** @throws GatewayError user.deregistered, access.banned, login.second_factor: then the code is required */
export async function signIn(ports: SignInPorts, user: User, context: HandlerContext): Promise<User> {
  const { storage, verifications } = ports
  if (user.DeletedAt !== null) fail('user.deregistered')
  if (user.status !== USER_STATUS.enabled) fail('access.banned')
  const factor = await storage.secondFactors.find(user.id)
  if (factor && factor.confirmed_time !== null) {
    await verifications.keep('second_factor', context.session.browser(), String(user.id), SECOND_FACTOR_MINUTES)
    fail('login.second_factor')
  }
  await startSession(ports, user, context)
  return user
}

/** Starts a session, and remembers in which language its owner reads. */
export async function startSession({ storage }: SignInPorts, user: User, { caller, session }: HandlerContext) {
  const setting = parseUserSetting(user)
  if (setting.language !== caller.language) {
    await storage.users.update(user.id, { setting: JSON.stringify({ ...setting, language: caller.language }) })
  }
  await session.start(user)
}

/** Returns the user who must enter the code at this browser. @throws GatewayError second_factor.expired */
export async function requireCodeUser(ports: SignInPorts, { session }: HandlerContext): Promise<User> {
  const { storage, verifications } = ports
  const browser = session.browser()
  const waiting = browser === '' ? null : await verifications.look('second_factor', browser)
  const user = waiting === null ? null : await storage.users.find(Number(waiting))
  if (!user || user.DeletedAt !== null || user.status !== USER_STATUS.enabled) fail('second_factor.expired')
  return user
}

/** Completes the sign-in after `signInPrompt` requested the code. @throws GatewayError second_factor.* */
export async function finishSignIn(ports: SignInPorts, user: User, code: string, context: HandlerContext) {
  await useSecondFactorCode(ports, user.id, code, context)
  await ports.verifications.take('second_factor', context.session.browser())
  await startSession(ports, user, context)
  return user
}

/** Uses a code of the app, or a backup code, up. @throws GatewayError second_factor.none, second_factor.wrong */
export async function useSecondFactorCode(
  { storage, secrets, identity, clock, attempt }: SignInPorts,
  userId: number,
  code: string,
  context: HandlerContext,
): Promise<void> {
  const factor = await storage.secondFactors.find(userId)
  if (!factor || factor.confirmed_time === null) fail('second_factor.none')
  await attempt(getCodeTarget(userId), context, async () => {
    const step = identity.codes.stepOf(factor.secret, code.trim(), clock.now())
    const right =
      step === null
        ? await storage.secondFactors.useBackup(userId, secrets.hash(backupKey(userId, code)))
        : await storage.secondFactors.useStep(userId, step)
    if (!right) fail('second_factor.wrong')
  })
}

/** Codes are counted separately from passwords, so that a correct password does not reset the count of wrong codes. */
export const getCodeTarget = (userId: number): AttemptTarget => ({ kind: 'code', of: userId, user_id: userId })

const BACKUP_CODES = 10
const BACKUP_LENGTH = 10

const backupKey = (userId: number, code: string) => `backup ${userId} ${code.replace(/[\s-]/g, '')}`

/** New backup codes: as shown once, and as stored. */
export function createBackupCodes(
  { random, secrets }: SignInPorts,
  userId: number,
): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: BACKUP_CODES }, () => random.text(BACKUP_LENGTH))
  return { codes, hashes: codes.map((code) => secrets.hash(backupKey(userId, code))) }
}

/** Records the time of the session's reauthentication. */
export async function markReauthenticated({ storage, clock }: SignInPorts, { session }: HandlerContext): Promise<void> {
  if (session.current) await storage.sessions.update(session.current.id, { proven_time: seconds(clock) })
}

// Limits attempts at guessable credentials. Every comparison of a password uses it, and counts before it compares.

/** The credential that is tried, and its account. */
export interface AttemptTarget {
  kind: 'login' | 'password' | 'code' | 'passkey' | 'setup'
  /** The account: an id, or a name that may not exist. Empty if all accounts share one count. */
  of: string | number
  /** The account, if it exists: its known browsers are not delayed by attempts from others. */
  user_id: number
}

/**
 * Counts an attempt, then does the work. Success resets the count of the credential; any error leaves it counted.
 * @throws GatewayError limit.requests after too many attempts: the next one has to wait
 */
export type SignInAttempt = <T>(target: AttemptTarget, context: HandlerContext, work: () => Promise<T>) => Promise<T>

export const getPasswordTarget = (userId: number): AttemptTarget => ({ kind: 'password', of: userId, user_id: userId })

/** The ports for comparing credentials. */
export interface SignInAttemptPorts {
  attempt: SignInAttempt
  secrets: Secrets
}

/**
 * Compares a password. An unknown account (no hash) takes the same time. `refuse` throws the error for a wrong
 * password.
 */
export function checkPassword(
  { attempt, secrets }: SignInAttemptPorts,
  { target, password, hash }: { target: AttemptTarget; password: string; hash: string },
  context: HandlerContext,
  refuse: () => never,
): Promise<void> {
  return attempt(target, context, async () => {
    if (!(await secrets.verifyPassword(password, hash))) refuse()
  })
}
