// A home of the log that says what is wrong with it in a sentence of ours: its network, its disk, or the engine's own words.
import { errors, GatewayError, thrownText } from '../../errors.ts'
import type { LogHome } from '../../logs/home.ts'
import { asDiskFull } from '../disk-full.ts'
import { networkFailure } from '../network-failure.ts'
import { StartError } from '../start-error.ts'

/** Engines explain themselves on further lines. */
const LONGEST = 300

/**
 * The home, whose failures are each a GatewayError or StartError, with what was thrown as their cause. What it is asked for the
 * log's readers fails as `log.away` by itself, for not everybody who reads their own log is told where it is kept.
 */
export const wrapLogHomeErrors = (home: LogHome): LogHome =>
  new Proxy(home, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (typeof member !== 'function') return member
      return (...given: unknown[]): unknown => {
        const answer: unknown = member.apply(target, given)
        if (!(answer instanceof Promise)) return answer
        return answer.catch((error: unknown) => {
          throw told(error, home.name)
        })
      }
    },
  })

function told(error: unknown, home: string): unknown {
  if (error instanceof GatewayError || error instanceof StartError) return error
  const full = asDiskFull(error, home)
  if (full !== error) return full
  const network = networkFailure(error)
  if (network) return new GatewayError('log.home_away', { home, why: errors[network] }, { cause: error })
  const [said = ''] = thrownText(error).trim().split('\n')
  return new GatewayError('log.home_said', { home, said: said.slice(0, LONGEST) }, { cause: error })
}
