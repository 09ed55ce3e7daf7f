// Ordering at Stripe: a page at Stripe for exactly what the order says.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCaller, openMemoryGateway, type MemoryGateway } from '../gateway.ts'

let gateway: MemoryGateway
beforeEach(async () => {
  gateway = await openMemoryGateway()
  const values = {
    ServerAddress: 'https://weir.example',
    'stripe.secret_key': 'sk_test',
    'stripe.webhook_secret': 'whsec_test',
    'stripe.currency': 'EUR',
    'stripe.price': '0.9',
  }
  const options = Object.entries(values).map(([key, value]) => ({ key, value }))
  await gateway.ask(await gateway.as('root'), 'settings.update', { options })
})
afterEach(() => gateway.close())

const pay = async () => {
  const caller = await openCaller(gateway, { quota: 0 })
  return gateway.ask(caller, 'topups.pay', { amount: 10, payment_method: 'stripe' })
}

test('the caller is sent to a page for the amount of the order', async () => {
  gateway.web.answer(() => ({ body: { id: 'cs_1', url: 'https://checkout.stripe.com/c/pay/cs_1' } }))
  expect(await pay()).toEqual({
    ...{ data: {}, message: 'success', url: 'https://checkout.stripe.com/c/pay/cs_1' },
  })
  const [request] = gateway.web.requests
  const [order] = (await gateway.storage.topups.list({}, { offset: 0, limit: 1 })).items
  expect(request).toMatchObject({ method: 'POST', url: 'https://api.stripe.com/v1/checkout/sessions' })
  expect(request?.headers).toMatchObject({ authorization: 'Bearer sk_test', 'idempotency-key': order?.trade_no })
  const form = new URLSearchParams(request?.body)
  expect(form.get('line_items[0][price_data][unit_amount]')).toBe('900')
  expect(form.get('line_items[0][price_data][currency]')).toBe('eur')
  expect(form.get('client_reference_id')).toBe(order?.trade_no)
  expect(order).toMatchObject({ provider: 'stripe', money: 900, currency: 'eur', quota: 5_000_000, status: 'pending' })
})

test('what Stripe refuses is refused without its words', async () => {
  gateway.web.answer(() => ({ status: 401, body: { error: { message: 'Invalid API Key: sk_test' } } }))
  const refusal = await pay().catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'topup.start', message: 'Could not start the payment' })
  expect(refusal).toMatchObject({ replyFields: { data: 'Could not start the payment' } })
})
