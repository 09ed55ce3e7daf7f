// Stripe on this machine: makes Checkout pages as its API does, and reports payments signed by Stripe's own library.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { request as send } from 'undici'
import type { WebClient } from '../../core/ports/web.ts'

const HOST = 'https://api.stripe.com'
const HOUR = 3600
const stripe = new Stripe('sk_test_signing_only')

export interface Session {
  id: string
  url: string
  client_reference_id: string
  amount_total: number
  currency: string
  expires_at: number
  payment_status: 'paid' | 'unpaid'
}

export interface StripeService {
  /** Our guarded way out, with Stripe's own address leading here. */
  web(guarded: WebClient): WebClient
  /** The page behind this address. */
  session(url: string): Session
  /** What Stripe posts when a page is paid; the session may be changed before it is signed. */
  event(session: Session, options?: { type?: string; change?: object }): string
  /** The header of a sending: Stripe's own signature. Time in epoch seconds. */
  signature(body: string, options?: { secret?: string; time?: number }): string
  close(): Promise<void>
}

export async function startStripe(keys: { secretKey: string; webhookSecret: string }): Promise<StripeService> {
  const sessions = new Map<string, Session>()
  /** What came of a request with this idempotency key, and its parameters. */
  const asked = new Map<string, { body: string; session: Session }>()

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    const answer = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const refuse = (status: number, type: string, message: string) => answer(status, { error: { type, message } })
    if (request.headers.authorization !== `Bearer ${keys.secretKey}`) {
      return refuse(401, 'invalid_request_error', `Invalid API Key provided: ${request.headers.authorization}`)
    }
    if (request.method !== 'POST' || request.url !== '/v1/checkout/sessions') {
      return refuse(404, 'invalid_request_error', 'Unrecognized request URL')
    }
    const idempotency = String(request.headers['idempotency-key'] ?? '')
    const known = asked.get(idempotency)
    if (known && known.body !== body)
      return refuse(400, 'idempotency_error', 'Keys can only be used with the same parameters')
    if (known) return answer(200, known.session)
    const made = sessionOf(new URLSearchParams(body), sessions.size + 1)
    if (typeof made === 'string') return refuse(400, 'invalid_request_error', made)
    sessions.set(made.url, made)
    if (idempotency) asked.set(idempotency, { body, session: made })
    return answer(200, made)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    web: (guarded) => ({
      async send(asking) {
        if (!asking.url.startsWith(HOST)) return guarded.send(asking)
        const { method, headers = {}, body = null } = asking
        const reply = await send(here + asking.url.slice(HOST.length), { method, headers, body })
        return { status: reply.statusCode, headers: {}, body: new Uint8Array(await reply.body.arrayBuffer()) }
      },
    }),
    session(url) {
      const session = sessions.get(url)
      if (!session) throw new Error(`Stripe has no page ${url}`)
      return session
    },
    event: (session, { type = 'checkout.session.completed', change = {} } = {}) =>
      JSON.stringify({
        ...{ id: 'evt_1', object: 'event', api_version: '2026-01-28', created: 1_700_000_000, livemode: false },
        ...{ pending_webhooks: 1, request: { id: null, idempotency_key: null }, type },
        data: {
          object: { ...session, object: 'checkout.session', payment_status: 'paid', status: 'complete', ...change },
        },
      }),
    signature: (payload, { secret = keys.webhookSecret, time } = {}) =>
      stripe.webhooks.generateTestHeaderString({ payload, secret, ...(time === undefined ? {} : { timestamp: time }) }),
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  }
}

/** The session that these parameters ask for, or what is wrong with them. */
function sessionOf(form: URLSearchParams, number: number): Session | string {
  const text = (name: string) => form.get(name) ?? ''
  const price = 'line_items[0][price_data]'
  const unit = Number(text(`${price}[unit_amount]`))
  const currency = text(`${price}[currency]`)
  const expires_at = Number(text('expires_at'))
  const left = expires_at - Date.now() / 1000
  if (text('mode') !== 'payment') return 'You must provide one of the modes'
  if (!URL.canParse(text('success_url'))) return 'Not a valid URL: success_url'
  if (!/^[a-z]{3}$/.test(currency)) return `Invalid currency: ${currency}`
  if (!Number.isInteger(unit) || unit < 1) return `Invalid integer: ${text(`${price}[unit_amount]`)}`
  if (text(`${price}[product_data][name]`) === '') return 'You must specify product_data'
  if (!(left >= HOUR / 2 && left <= 24 * HOUR)) return 'expires_at must be between 30 minutes and 24 hours from now'
  const id = `cs_test_${number}`
  return {
    ...{ id, url: `https://checkout.stripe.com/c/pay/${id}`, client_reference_id: text('client_reference_id') },
    ...{ amount_total: unit * Number(text('line_items[0][quantity]')), currency, expires_at, payment_status: 'unpaid' },
  }
}
