// Limits mail to one address: its owner is not flooded, and a foreign client does not use up the owner's requests.
import { getAddressKey, type HandlerContext } from '../auth/caller.ts'
import { toEmailKey } from '../auth/email-address.ts'
import type { CodeGuess } from '../auth/mail-codes.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { ApiLimits } from './api-rate.ts'

interface MailsPorts {
  storage: Pick<Storage, 'browsers'>
  secrets: Pick<Secrets, 'hash'>
  limits: ApiLimits
}

/**
 * Counts a mail to this address, whether or not an account has it.
 * @throws GatewayError limit.requests if its client, or all clients together, have requested too many
 */
export type CountMail = (to: string, context: HandlerContext) => Promise<void>

export function createMailCounter({ storage, secrets, limits }: MailsPorts): CountMail {
  return async (to, { caller, session }) => {
    const recipient = toEmailKey(to)
    // From the narrower to the wider: a request refused by its own limit does not count towards the others.
    await limits.count('mail', `${recipient} ${getAddressKey(caller.ip)}`)
    const browser = session.presented
    if (browser !== '' && (await storage.browsers.knownByEmail(recipient, secrets.hash(browser)))) return
    await limits.count('mail_recipient', recipient)
  }
}

/**
 * Above the limit for wrong guesses of all clients at one address, guesses are allowed at a fixed rate: no one is
 * locked out.
 */
export function createCodeGuess({ limits }: Pick<MailsPorts, 'limits'>): CodeGuess {
  return async (email, work) => {
    const recipient = toEmailKey(email)
    await limits.throttle('mail_code', recipient)
    await work()
    await limits.giveBack('mail_code', recipient)
  }
}
