// The call that binds a Telegram account, which Telegram's widget makes without the usual headers.
import type { Middleware } from 'koa'
import type { Gateway } from '../core/index.ts'
import { getPeer } from './peer.ts'
import { sessionDoor, loadSession } from './session.ts'

const TELEGRAM_BIND = '/api/oauth/telegram/bind'

/**
 * Serves the binding call that Telegram's widget navigates to, where no page can add a header. Its data is signed, but not bound to
 * this session, so only a page of this site may send the browser there.
 */
export function telegramBind(gateway: Gateway, prefix: string): Middleware {
  return async (context, next) => {
    const isBind = context.method === 'GET' && context.path.replace(/\/$/, '') === TELEGRAM_BIND
    if (!isBind || context.get('new-api-user') !== '' || !isSameOrigin(context)) return next()
    const known = await loadSession(gateway, context)
    const caller = { ...getPeer(gateway, context), user: known?.user ?? null, token: null, via: 'session' as const }
    const session = sessionDoor(gateway, context, known?.session ?? null, prefix)
    const fields = Object.fromEntries(new URLSearchParams(context.querystring))
    await gateway.dispatch('auth.telegramBind', fields, { caller, session })
    context.redirect(`${prefix}/setting`)
  }
}

/** True if a page of this site has sent the browser. No page can change the header. */
const isSameOrigin = (context: { get(name: string): string }): boolean =>
  context.get('sec-fetch-site') === 'same-origin'
