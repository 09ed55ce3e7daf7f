// The JSON API in the access log: which endpoint, by whom, how long. Nothing of what was asked or answered.
import type { Context, Middleware } from 'koa'
import type { Gateway } from '../../core/index.ts'
import { getPeer } from '../peer.ts'
import { createRequestObserver, type RequestObserver } from '../witness.ts'

/** What the router has found. */
type Routed = Context & { _matchedRoute?: string | RegExp }

export function observeRequests(gateway: Gateway): Middleware {
  return async (context: Routed, next) => {
    if (!context.path.startsWith('/api')) return next()
    const witness = createRequestObserver(gateway, context.req, getPeer(gateway, context), () => 'other')?.watching(
      context.res,
    )
    if (!witness) return next()
    context.state.witness = witness
    try {
      await next()
    } finally {
      const { _matchedRoute: path } = context
      if (typeof path === 'string') witness.route = path.replace(/:(\w+)/g, '{$1}')
      witness.over(context.res)
    }
  }
}

/** Of an API request that is written down. */
export const witnessIn = ({ state }: Pick<Context, 'state'>): RequestObserver | undefined =>
  (state as { witness?: RequestObserver }).witness
