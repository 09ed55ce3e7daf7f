// Headers that keep the console's pages to themselves.
import type { Middleware } from 'koa'

const POLICY = [
  "default-src 'self'",
  // Semi UI sets styles from script; no script may be inline.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: https:",
  "font-src 'self' data:",
  "frame-src 'self' https:",
  "connect-src 'self'",
  "frame-ancestors 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "object-src 'none'",
].join('; ')

export const secureHeaders: Middleware = async (context, next) => {
  context.set('content-security-policy', POLICY)
  context.set('x-content-type-options', 'nosniff')
  context.set('referrer-policy', 'same-origin')
  context.set('x-frame-options', 'SAMEORIGIN')
  await next()
}
