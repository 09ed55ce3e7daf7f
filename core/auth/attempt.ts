// Limits attempts at guessable credentials. Every comparison of a password uses it, and counts before it compares.
import type { Secrets } from '../ports/secrets.ts'
import type { HandlerContext } from './handler.ts'

/** The credential that is tried, and its account. */
export interface Target {
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
export type SignInAttempt = <T>(target: Target, context: HandlerContext, work: () => Promise<T>) => Promise<T>

/** Returns the target for the password of the signed-in user. */
export const getPasswordTarget = (userId: number): Target => ({ kind: 'password', of: userId, user_id: userId })

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
  { target, password, hash }: { target: Target; password: string; hash: string },
  context: HandlerContext,
  refuse: () => never,
): Promise<void> {
  return attempt(target, context, async () => {
    if (!(await secrets.verifyPassword(password, hash))) refuse()
  })
}
