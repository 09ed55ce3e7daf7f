// Codes that prove access to an email address. A code is bound to its requester: a browser by its cookie, and without
// cookies the network. A stranger who requests another code, or guesses, does not invalidate it.
import { fail } from '../errors.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import { getAddressKey, type HandlerContext } from './caller.ts'
import { toEmailKey } from './email-address.ts'
import type { PendingVerifications } from './verification.ts'

export const CODE_LIFETIME_MINUTES = 10
const CODE_LENGTH = 6

/**
 * Counts a guess at a code of this address, then runs the check, which throws if the code is wrong.
 * @throws GatewayError limit.requests when all askers together guessed wrongly too often: the next one waits a little
 */
export type CodeGuess = (email: string, work: () => Promise<void>) => Promise<void>

interface MailCodesPorts {
  verifications: PendingVerifications
  secrets: Pick<Secrets, 'digest'>
  random: Random
  guessCode: CodeGuess
}

export interface MailedCodes {
  /** Creates a code, which replaces the requester's earlier one for this address. */
  make(email: string, context: HandlerContext): Promise<string>
  /** @throws GatewayError verification.wrong, limit.requests */
  check(email: string, code: string, context: HandlerContext): Promise<void>
  /** Uses up the requester's code. */
  use(email: string, context: HandlerContext): Promise<void>
}

export function createMailCodes({ verifications, secrets, random, guessCode }: MailCodesPorts): MailedCodes {
  return {
    async make(email, context) {
      const code = secrets.digest(random.text(32)).slice(0, CODE_LENGTH)
      // Under both names, for whether the cookie comes back is not known yet.
      for (const key of buildKeys(email, context)) await verifications.keep('email', key, code, CODE_LIFETIME_MINUTES)
      return code
    },
    async check(email, code, context) {
      // A requester without a code cannot guess one, so the attempt is not counted against the address.
      const key = await firstHeld(verifications, buildKeys(email, context))
      if (key === null) fail('verification.wrong')
      await guessCode(email, async () => {
        if (!(await verifications.matches('email', key, code.trim()))) fail('verification.wrong')
      })
    },
    async use(email, context) {
      for (const key of buildKeys(email, context)) await verifications.take('email', key)
    },
  }
}

/** Returns the keys of a code, most reliable first. */
function buildKeys(email: string, { caller, session }: HandlerContext): string[] {
  const browser = session.browser()
  const to = toEmailKey(email)
  return [...(browser === '' ? [] : [`${to} browser ${browser}`]), `${to} network ${getAddressKey(caller.ip)}`]
}

async function firstHeld(verifications: PendingVerifications, keys: string[]): Promise<string | null> {
  for (const key of keys) if (await verifications.holds('email', key)) return key
  return null
}
