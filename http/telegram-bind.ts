// Telegram sends the browser to us in its own way.
import type { Middleware } from 'koa'
import type { Gateway } from '../core/index.ts'
import { getPeer } from './peer.ts'
import { sessionDoor, loadSession } from './session.ts'

const TELEGRAM_BIND = '/api/oauth/telegram/bind'

/**
 * Telegram's widget takes the browser to the binding call itself, where no page can add a header. What it brings is
 * signed, but not said to be meant for this session: only a page of our own may send the browser there.
 */
export function telegramBind(gateway: Gateway, prefix: string): Middleware {
  return async (context, next) => {
    const isBind = context.method === 'GET' && context.path.replace(/\/$/, '') === TELEGRAM_BIND
    if (!isBind || context.get('new-api-user') !== '' || !fromOurPage(context)) return next()
    const known = await loadSession(gateway, context)
    const caller = { ...getPeer(gateway, context), user: known?.user ?? null, token: null, via: 'session' as const }
    const session = sessionDoor(gateway, context, known?.session ?? null, prefix)
    const fields = Object.fromEntries(new URLSearchParams(context.querystring))
    await gateway.dispatch('auth.telegramBind', fields, { caller, session })
    context.redirect(`${prefix}/setting`)
  }
}

/** What a browser says about who sent it here; it lets no page change that. */
const fromOurPage = (context: { get(name: string): string }): boolean => context.get('sec-fetch-site') === 'same-origin'
