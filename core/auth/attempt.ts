// One try at something that can be guessed. Every comparison of a password stands here, and counts before it compares.
import type { Secrets } from '../ports/secrets.ts'
import type { HandlerContext } from './handler.ts'

/** What is tried, and whose it is. */
export interface Target {
  kind: 'login' | 'password' | 'code' | 'passkey' | 'setup'
  /** What names the account: an id, or a name that may be nobody's. Empty where there is one for all. */
  of: string | number
  /** The account, where there is one: browsers that it knows are not slowed by what others try. */
  user_id: number
}

/**
 * Counts a try, then does the work; what it returns of was right, and is forgotten. Whatever it throws stays counted.
 * @throws GatewayError limit.requests when there were too many: the next one has to wait a little
 */
export type SignInAttempt = <T>(target: Target, context: HandlerContext, work: () => Promise<T>) => Promise<T>

/** The own password of who is signed in. */
export const passwordOf = (userId: number): Target => ({ kind: 'password', of: userId, user_id: userId })

/** What everything that compares needs. */
export interface SignInAttemptPorts {
  attempt: SignInAttempt
  secrets: Secrets
}

/** An unknown account (no hash) is compared like a known one. `refuse` throws what is said of a wrong password. */
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
