// Wraps a log store so that its errors become one clear message: about its network, its disk, or with the engine's own
// text.
import { errors, GatewayError, thrownText } from '../../errors.ts'
import type { LogHome } from '../../logs/home.ts'
import { toDiskFullError } from '../disk-full.ts'
import { classifyNetworkFailure } from '../network-failure.ts'
import { StartError } from '../start-error.ts'

/** Maximum length of the engine's text. Engines explain themselves on further lines. */
const LONGEST = 300

/**
 * Wraps a store so that each error is a GatewayError or StartError with the original one as its cause. Queries of log
 * readers already fail as `log.away`, because not every reader may learn the location of the log.
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
          throw toLogHomeError(error, home.name)
        })
      }
    },
  })

function toLogHomeError(error: unknown, home: string): unknown {
  if (error instanceof GatewayError || error instanceof StartError) return error
  const full = toDiskFullError(error, home)
  if (full !== error) return full
  const network = classifyNetworkFailure(error)
  if (network) return new GatewayError('log.home_away', { home, why: errors[network] }, { cause: error })
  const [text = ''] = thrownText(error).trim().split('\n')
  return new GatewayError('log.home_said', { home, said: text.slice(0, LONGEST) }, { cause: error })
}
