// Limits how fast secrets can be guessed: per network, and per account in total. Excess attempts are slowed down, not
// locked out, and a browser known to the account has a separate counter.
import { addressKey } from '../auth/caller.ts'
import type { SignInAttempt } from '../auth/sign-in.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { ApiLimits, LimitName } from './api-rate.ts'

interface AttemptsPorts {
  storage: Pick<Storage, 'browsers'>
  secrets: Pick<Secrets, 'hash'>
  limits: ApiLimits
}

export function createAttemptLimit({ storage, secrets, limits }: AttemptsPorts): SignInAttempt {
  return async ({ kind, of, user_id }, { caller, session }, work) => {
    if (caller.via === 'local') return work()
    const account = secrets.hash(`${kind} ${of}`)
    const network = addressKey(caller.ip)
    const browser = session.presented === '' ? '' : secrets.hash(session.presented)
    const isKnown = browser !== '' && (await storage.browsers.knows(user_id, browser))
    const [own, others]: [string, [LimitName, string][]] = isKnown
      ? [`${account} ${browser}`, []]
      : [
          `${account} ${network}`,
          [
            ['login', `tries ${network}`],
            ['login_account', account],
          ],
        ]
    // From the narrowest to the widest: an attempt refused by its own limit does not count towards the others.
    await limits.throttle('login_failures', own)
    for (const [name, who] of others) await limits.throttle(name, who)
    const done = await work()
    await limits.forget('login_failures', own)
    // The failures of others stay: signing in to one's own account must not reset them.
    for (const [name, who] of others) await limits.giveBack(name, who)
    return done
  }
}
