// Headers that keep the console's pages to themselves.
import type { Middleware } from 'koa'
import type { Gateway } from '../../core/index.ts'

const POLICY = [
  "default-src 'self'",
  // Semi UI sets styles from script; no script may be inline.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: https:",
  "font-src 'self' data:",
  "frame-src 'self' https:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "object-src 'none'",
].join('; ')

/** The sites that may frame this one are a setting. */
export const secureHeaders =
  ({ settings }: Pick<Gateway, 'settings'>): Middleware =>
  async (context, next) => {
    const ancestors = settings().FrameAncestors
    context.set('content-security-policy', `${POLICY}; ${["frame-ancestors 'self'", ...ancestors].join(' ')}`)
    context.set('x-content-type-options', 'nosniff')
    context.set('referrer-policy', 'same-origin')
    // The older header knows no list; browsers that know the policy do not look at it.
    if (ancestors.length === 0) context.set('x-frame-options', 'SAMEORIGIN')
    await next()
  }
