// Records requests of the JSON API in the access log: endpoint, user and duration, and nothing of the request or the reply.
import type { Context, Middleware } from 'koa'
import type { Gateway } from '../../core/index.ts'
import { getPeer } from '../peer.ts'
import { createRequestObserver, type RequestObserver } from '../request-observer.ts'

/** A context with the route that the router has matched. */
type Routed = Context & { _matchedRoute?: string | RegExp }

export function observeHttpRequests(gateway: Gateway): Middleware {
  return async (context: Routed, next) => {
    if (!context.path.startsWith('/api')) return next()
    const observer = createRequestObserver(gateway, context.req, getPeer(gateway, context), () => 'other')?.watching(
      context.res,
    )
    if (!observer) return next()
    context.state.observer = observer
    try {
      await next()
    } finally {
      const { _matchedRoute: path } = context
      if (typeof path === 'string') observer.route = path.replace(/:(\w+)/g, '{$1}')
      observer.over(context.res)
    }
  }
}

/** Returns the observer of an API request; undefined if the request is not observed. */
export const findRequestObserver = ({ state }: Pick<Context, 'state'>): RequestObserver | undefined =>
  (state as { observer?: RequestObserver }).observer
