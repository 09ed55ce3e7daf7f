// Stripe Checkout: a page at Stripe for each order, and signed events with the result.
import { z } from 'zod'
import { fail } from '../errors.ts'
import type { Secrets } from '../ports/secrets.ts'
import { parseJsonBody, type WebClient } from '../ports/web.ts'
import type { Settings } from '../settings/index.ts'
import type { PaymentService } from './payment.ts'
import { ORDER_LIFETIME_SECONDS } from './topup.ts'

const SESSIONS = 'https://api.stripe.com/v1/checkout/sessions'
/** Maximum age of an event in seconds. Older ones are replays, since Stripe signs each delivery separately. */
const TOLERANCE = 300
const PAID_EVENTS = new Set(['checkout.session.completed', 'checkout.session.async_payment_succeeded'])

interface StripePorts {
  secrets: Pick<Secrets, 'hmac' | 'same'>
  web: WebClient
  /** Epoch seconds. */
  now(): number
}

/** Returns the service; undefined if its settings are incomplete. */
export function createStripeService(
  settings: Settings,
  { secrets, web, now }: StripePorts,
): PaymentService | undefined {
  const secretKey = settings['stripe.secret_key']
  const webhookSecret = settings['stripe.webhook_secret']
  if (secretKey === '' || webhookSecret === '') return undefined
  const currency = settings['stripe.currency']
  return {
    name: 'stripe',
    currency,
    price: settings['stripe.price'],
    method: () => 'stripe',
    async begin({ trade_no, money, user_id, create_time }) {
      const form = new URLSearchParams({
        mode: 'payment',
        client_reference_id: trade_no,
        'metadata[trade_no]': trade_no,
        'metadata[user_id]': String(user_id),
        expires_at: String(create_time + ORDER_LIFETIME_SECONDS),
        success_url: `${settings.ServerAddress}/log`,
        cancel_url: `${settings.ServerAddress}/topup`,
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': currency,
        'line_items[0][price_data][unit_amount]': String(money),
        'line_items[0][price_data][product_data][name]': `${settings.SystemName} top-up`,
      })
      const headers = {
        authorization: `Bearer ${secretKey}`,
        'content-type': 'application/x-www-form-urlencoded',
        // A request that is sent again makes no second page.
        'idempotency-key': trade_no,
      }
      const reply = await web
        .send({ method: 'POST', url: SESSIONS, headers, body: form.toString() })
        .catch((cause: unknown) => fail('topup.start', {}, { cause }))
      const made = z.object({ url: z.string() }).safeParse(parseJsonBody(reply))
      if (reply.status !== 200 || !made.success) fail('topup.start', {}, { detail: `Stripe answered ${reply.status}` })
      return { url: made.data.url, fields: {} }
    },
    read({ headers, body }) {
      if (!isSigned(headers['stripe-signature'] ?? '', body, webhookSecret, { secrets, now })) fail('topup.notice')
      const event = StripeEvent.safeParse(parsed(body))
      if (!event.success) return undefined
      const { type, data } = event.data
      if (!PAID_EVENTS.has(type) || data.object.payment_status !== 'paid') return undefined
      const { client_reference_id: trade_no, id, amount_total: money } = data.object
      return { trade_no, provider_trade_no: id, money, currency: data.object.currency.toLowerCase() }
    },
    taken: { status: 200, text: 'success' },
    refused: { status: 400, text: 'fail' },
  }
}

const StripeEvent = z.object({
  type: z.string(),
  data: z.object({
    object: z.object({
      id: z.string(),
      client_reference_id: z.string(),
      payment_status: z.string(),
      amount_total: z.number().int(),
      currency: z.string(),
    }),
  }),
})

/** `t=TIME,v1=HEX,…`: an HMAC-SHA256 of `TIME.BODY`; one of several may be the right one. */
function isSigned(
  header: string,
  body: string,
  key: string,
  { secrets, now }: Pick<StripePorts, 'secrets' | 'now'>,
): boolean {
  const parts = header.split(',').map((part) => part.trim().split('=', 2) as [string, string | undefined])
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time) || Math.abs(now() - Number(time)) > TOLERANCE) return false
  const due = secrets.hmac(key, `${time}.${body}`)
  return parts.some(([name, value]) => name === 'v1' && secrets.same(value ?? '', due))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
