// The usage of a user as a page for a frame of another site. The access token is in the address, since a frame cannot send it in a
// header; a token of the scope `usage` permits nothing else.
import type { Context, Middleware } from 'koa'
import type Router from '@koa/router'
import type { Caller, Gateway } from '../core/index.ts'
import { addressKey, GatewayError, noSession, refusedWidget, usageWidget } from '../core/index.ts'
import { getPeer } from './peer.ts'
import { callerOfAccessToken } from './session.ts'

export const WIDGET_PATH = '/embed/usage'

const MOST_DAYS = 90
/** Maximum age of a cached page, in seconds. It keeps the cost of a page with many viewers low. */
const FRESH_SECONDS = 60

interface UsageReply {
  rows: { at: number; calls: number; quota: number }[]
  steps: { at: number; date: string }[]
}

export function addUsageWidget(router: Router, gateway: Gateway, whenSetUp: Middleware): void {
  router.get(WIDGET_PATH, whenSetUp, async (context) => {
    await gateway.limits.count('api', addressKey(getPeer(gateway, context).ip))
    const settings = gateway.settings()
    const { token, days, zone, theme: requestedTheme, language: requested } = context.query
    const language = requested === 'zh' || requested === 'en' ? requested : getPeer(gateway, context).language
    const look = { title: settings.SystemName, language, theme: THEMES.find((theme) => theme === requestedTheme) }
    pageHeaders(context, settings.FrameAncestors)
    try {
      const caller = await callerOfAccessToken(gateway, getPeer(gateway, context), String(token ?? ''))
      const { rows, steps } = await queryDays(gateway, caller, { days: Number(days ?? 30), zone: String(zone ?? '') })
      const counted = new Map(rows.map((row) => [row.at, row]))
      context.body = usageWidget({
        ...look,
        title: `${settings.SystemName}: ${caller.user?.username ?? ''}`,
        days: steps.map(({ at, date }) => ({ date, calls: 0, quota: 0, ...counted.get(at) })),
        money: { quota_per_unit: settings.QuotaPerUnit, display_in_currency: settings.DisplayInCurrencyEnabled },
      })
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      context.status = error.relay.status
      context.body = refusedWidget({ ...look, sentence: error.text(language) })
    }
  })
}

const THEMES = ['light', 'dark'] as const

/** Sets headers stricter than those of the console: the page loads nothing, and its address with the token is sent nowhere. */
function pageHeaders(context: Context, ancestors: readonly string[]): void {
  context.type = 'html'
  context.set({
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors ${["'self'", ...ancestors].join(' ')}`,
    'referrer-policy': 'no-referrer',
    'cache-control': `private, max-age=${FRESH_SECONDS}`,
  })
}

async function queryDays(gateway: Gateway, caller: Caller, { days, zone }: { days: number; zone: string }) {
  const count = Math.min(MOST_DAYS, Math.max(1, Math.trunc(days) || 1))
  const from = String(Math.floor(Date.now() / 1000) - (count - 1) * 86_400)
  const { data } = await gateway.dispatch('usage.querySelf', () => Promise.resolve({ step: 'day', from, zone }), {
    caller,
    session: noSession,
  })
  return data as UsageReply
}
