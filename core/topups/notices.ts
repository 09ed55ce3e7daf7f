// Handles the reports of payment services. A report needs a valid signature and the exact ordered amount; it is
// credited once. A signed report that is not credited is stored with its order, for an administrator to review.
import { fail, GatewayError } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import { type WebClient, parseJsonBody } from '../ports/web.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { creditTopupOrder } from './crediting.ts'
import type { PaymentAnswer, PaymentNotice, VerifiedPayment, PaymentService } from './payment.ts'
import { getCallbackAddress } from './payment.ts'
import { parseHundredths, formatHundredths, ORDER_LIFETIME_SECONDS } from './topup.ts'
import { z } from 'zod'
import { parseJson } from '../dialects/json/json-value.ts'

// Epay gateways: a signed form that the browser posts, and a signed report.

const CURRENCY = 'cny'
const PAID = 'TRADE_SUCCESS'

/** Returns the service; undefined if its settings are incomplete. */
function createEpayService(settings: Settings, secrets: Pick<Secrets, 'md5' | 'same'>): PaymentService | undefined {
  const { PayAddress, EpayId, EpayKey, ServerAddress } = settings
  if (PayAddress === '' || EpayId === '' || EpayKey === '') return undefined
  return {
    name: 'epay',
    currency: CURRENCY,
    price: settings.Price,
    method: (requested) => (requested === 'zfb' ? 'alipay' : 'wxpay'),
    async begin({ method, trade_no, amount, money }) {
      const fields = {
        pid: EpayId,
        type: method,
        out_trade_no: trade_no,
        notify_url: `${getCallbackAddress(settings)}/api/user/epay/notify`,
        return_url: `${ServerAddress}/log`,
        name: `TUC${amount}`,
        money: formatHundredths(money),
        device: 'pc',
      }
      const sign = signEpayFields(fields, EpayKey, secrets)
      return { url: `${PayAddress}/submit.php`, fields: { ...fields, sign_type: 'MD5', sign } }
    },
    read({ fields }) {
      if (!secrets.same(fields.sign ?? '', signEpayFields(fields, EpayKey, secrets))) fail('topup.notice')
      if (fields.pid !== EpayId) fail('topup.notice')
      if (fields.trade_status !== PAID) return undefined
      const money = parseHundredths(fields.money ?? '') ?? fail('topup.notice')
      const { out_trade_no: trade_no = '', trade_no: provider_trade_no = '' } = fields
      return { trade_no, provider_trade_no, money, currency: CURRENCY }
    },
    taken: { status: 200, text: 'success' },
    refused: { status: 200, text: 'fail' },
  }
}

/** Lower-case MD5 of the fields in the order of their names, with the key behind them. Empty ones do not count. */
export function signEpayFields(fields: Record<string, string>, key: string, { md5 }: Pick<Secrets, 'md5'>): string {
  const signed = Object.keys(fields)
    .filter((name) => name !== 'sign' && name !== 'sign_type' && fields[name] !== '')
    .sort()
    .map((name) => `${name}=${fields[name]}`)
  return md5(signed.join('&') + key)
}

// Stripe Checkout: a page at Stripe for each order, and signed events with the result.

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
function createStripeService(settings: Settings, { secrets, web, now }: StripePorts): PaymentService | undefined {
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
      const event = StripeEvent.safeParse(parseJson(body))
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

export interface PaymentPorts {
  storage: Storage
  ledger: Ledger
  clock: Clock
  logger: Logger
  secrets: Secrets
  web: WebClient
  settings(): Settings
}

/** The services that are set up. */
export function listPaymentServices({ settings, secrets, web, clock }: Omit<PaymentPorts, 'storage' | 'ledger'>) {
  const current = settings()
  return [
    createEpayService(current, secrets),
    createStripeService(current, { secrets, web, now: () => seconds(clock) }),
  ].filter((service): service is PaymentService => service !== undefined)
}

/** Takes a report of a service; null where the service is not set up: then there is no such place, and nothing is read. */
export type TakeNotice = (name: string, read: () => Promise<PaymentNotice>) => Promise<PaymentAnswer | null>

export function createTakeNotice(ports: PaymentPorts): TakeNotice {
  return async (name, read) => {
    const service = listPaymentServices(ports).find((each) => each.name === name)
    if (!service) return null
    const notice = await read()
    try {
      const payment = service.read(notice)
      if (payment) await credit(ports, service, payment)
      return service.taken
    } catch (error) {
      if (!(error instanceof GatewayError) || error.kind === 'bug') throw error
      ports.logger.warn('a payment notice was refused', { provider: name, code: error.code })
      return service.refused
    }
  }
}

/** @throws GatewayError topup.notice if no order has the number, or another amount was paid */
async function credit(ports: PaymentPorts, service: PaymentService, payment: VerifiedPayment): Promise<void> {
  const { storage, clock } = ports
  const order = (await storage.topups.findByTradeNo(payment.trade_no)) ?? fail('topup.notice')
  const { money, currency, provider_trade_no } = payment
  const time = seconds(clock)
  const report = { time, provider: service.name, provider_trade_no, money, currency }
  if (order.provider !== service.name || order.money !== money || order.currency !== currency) {
    await storage.topups.addReport(order.id, report)
    fail('topup.notice')
  }
  const result = await creditTopupOrder(ports, order, { time, provider_trade_no })
  if (result === 'cancelled') await storage.topups.addReport(order.id, report)
  // An administrator has completed the order, which then has no number of the service.
  if (result === 'credited_before') await storage.topups.nameProviderOrder(order.id, provider_trade_no)
}
