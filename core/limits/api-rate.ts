// Rate limits of the JSON API: in general, and for endpoints that invite guessing.
import { GatewayError } from '../errors.ts'
import type { RateCounter } from '../ports/counter.ts'
import type { Settings } from '../settings/index.ts'
import type { ApiRateSettings } from '../settings/network.ts'
import { getAddressKey } from '../auth/caller.ts'
import type { SignInAttempt } from '../auth/sign-in.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'

export type LimitName = keyof ApiRateSettings

export interface ApiLimits {
  /**
   * Counts one request of the client `who`.
   * @throws GatewayError limit.requests if it exceeds the limit
   */
  count(name: LimitName, who: string): Promise<void>
  /**
   * Counts one attempt. Above the limit, attempts are allowed at a fixed rate, one in every (seconds / requests), so
   * that no one is locked out.
   * @throws GatewayError limit.requests if it comes too soon
   */
  throttle(name: LimitName, who: string): Promise<void>
  /** Takes back one counted request. */
  giveBack(name: LimitName, who: string): Promise<void>
  forget(name: LimitName, who: string): Promise<void>
}

export function createApiLimits({ counter, settings }: { counter: RateCounter; settings(): Settings }): ApiLimits {
  const rule = (name: LimitName, who: string) => {
    const [max, seconds] = settings().ApiRateLimits[name]
    return { max, seconds, key: `${name}:${who}` }
  }
  return {
    async count(name, who) {
      const { max, seconds, key } = rule(name, who)
      if (max === 0) return
      const { count, left_ms } = await counter.add(key, seconds)
      if (count > max) refuse(left_ms)
    },
    async throttle(name, who) {
      const { max, seconds, key } = rule(name, who)
      if (max === 0) return
      if ((await counter.add(key, seconds)).count < max) return
      const { count, left_ms } = await counter.add(...pace({ max, seconds, key }))
      if (count > 1) refuse(left_ms)
    },
    async giveBack(name, who) {
      const { max, seconds, key } = rule(name, who)
      if (max > 0) await counter.giveBack(key, seconds)
    },
    async forget(name, who) {
      const { max, seconds, key } = rule(name, who)
      if (max === 0) return
      await counter.forget(key, seconds)
      await counter.forget(...pace({ max, seconds, key }))
    },
  }
}

/** The counter of the attempts that are allowed at the fixed rate. */
const pace = ({ max, seconds, key }: { max: number; seconds: number; key: string }) =>
  [`pace:${key}`, Math.ceil(seconds / max)] as const

function refuse(left_ms: number): never {
  throw new GatewayError('limit.requests', {}, { retry_after_ms: left_ms })
}

// Limits how fast secrets can be guessed: per network, and per account in total. Excess attempts are slowed down, not
// locked out, and a browser known to the account has a separate counter.

interface AttemptsPorts {
  storage: Pick<Storage, 'browsers'>
  secrets: Pick<Secrets, 'hash'>
  limits: ApiLimits
}

export function createAttemptLimit({ storage, secrets, limits }: AttemptsPorts): SignInAttempt {
  return async ({ kind, of, user_id }, { caller, session }, work) => {
    if (caller.via === 'local') return work()
    const account = secrets.hash(`${kind} ${of}`)
    const network = getAddressKey(caller.ip)
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
