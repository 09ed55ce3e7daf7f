// What somebody has used, as a page for a frame elsewhere. It is asked for with an access token in its address, for a frame can send
// none in a header: one of the scope `usage` can do nothing else.
import type { Context, Middleware } from 'koa'
import type Router from '@koa/router'
import {
  addressKey,
  GatewayError,
  noSession,
  refusedWidget,
  usageWidget,
  type Caller,
  type Gateway,
} from '../core/index.ts'
import { getPeer } from './peer.ts'
import { callerOfAccessToken } from './session.ts'

export const WIDGET_PATH = '/embed/usage'

const MOST_DAYS = 90
/** It may be a minute old, so that a page that many look at costs little. */
const FRESH_SECONDS = 60

interface UsageReply {
  rows: { at: number; calls: number; quota: number }[]
  steps: { at: number; date: string }[]
}

export function addUsageWidget(router: Router, gateway: Gateway, whenSetUp: Middleware): void {
  router.get(WIDGET_PATH, whenSetUp, async (context) => {
    await gateway.limits.count('api', addressKey(getPeer(gateway, context).ip))
    const settings = gateway.settings()
    const { token, days, zone, theme: asked, language: wanted } = context.query
    const language = wanted === 'zh' || wanted === 'en' ? wanted : getPeer(gateway, context).language
    const look = { title: settings.SystemName, language, theme: THEMES.find((theme) => theme === asked) }
    pageHeaders(context, settings.FrameAncestors)
    try {
      const caller = await callerOfAccessToken(gateway, getPeer(gateway, context), String(token ?? ''))
      const { rows, steps } = await daysOf(gateway, caller, { days: Number(days ?? 30), zone: String(zone ?? '') })
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

/** As the console's pages, with less: it loads nothing, and the address with the token is told to nobody. */
function pageHeaders(context: Context, ancestors: readonly string[]): void {
  context.type = 'html'
  context.set({
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors ${["'self'", ...ancestors].join(' ')}`,
    'referrer-policy': 'no-referrer',
    'cache-control': `private, max-age=${FRESH_SECONDS}`,
  })
}

async function daysOf(gateway: Gateway, caller: Caller, { days, zone }: { days: number; zone: string }) {
  const count = Math.min(MOST_DAYS, Math.max(1, Math.trunc(days) || 1))
  const from = String(Math.floor(Date.now() / 1000) - (count - 1) * 86_400)
  const { data } = await gateway.dispatch('usage.querySelf', () => Promise.resolve({ step: 'day', from, zone }), {
    caller,
    session: noSession,
  })
  return data as UsageReply
}
