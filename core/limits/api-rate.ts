// How often the JSON API may be asked: as a whole, and what is worth guessing at.
import { GatewayError } from '../errors.ts'
import type { RateCounter } from '../ports/counter.ts'
import type { Settings } from '../settings/index.ts'
import type { ApiRates } from '../settings/network.ts'

export type LimitName = keyof ApiRates

export interface ApiLimits {
  /**
   * Counts one request of whoever `who` names.
   * @throws GatewayError limit.requests when it is one too many
   */
  count(name: LimitName, who: string): Promise<void>
  /**
   * Counts one try. From the limit on they go at its own pace, one in every (seconds / requests): nobody is locked out.
   * @throws GatewayError limit.requests when it comes too soon
   */
  slow(name: LimitName, who: string): Promise<void>
  /** One of those counted does not count. */
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
    async slow(name, who) {
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

/** What counts the tries that come one by one. */
const pace = ({ max, seconds, key }: { max: number; seconds: number; key: string }) =>
  [`pace:${key}`, Math.ceil(seconds / max)] as const

function refuse(left_ms: number): never {
  throw new GatewayError('limit.requests', {}, { retry_after_ms: left_ms })
}
