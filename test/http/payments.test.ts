// Payments from the order to the credit, with both services standing on this machine and speaking their own protocol.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeWithGateway, describeWithOwnGateway, type TestGateway } from '../support/gateway.ts'
import { startEpayGateway, type EpayGateway } from '../support/epay-gateway.ts'
import { send } from '../support/server.ts'
import { startStripe, type StripeService } from '../support/stripe-service.ts'

const EPAY = { pid: '1001', key: 'the key of the merchant' }
const STRIPE = { secretKey: 'sk_test_weir', webhookSecret: 'whsec_weir' }

let epay: EpayGateway
let stripe: StripeService
beforeAll(async () => {
  epay = await startEpayGateway(EPAY)
  stripe = await startStripe(STRIPE)
})
afterAll(() => Promise.all([epay.close(), stripe.close()]))

const setUp = (weir: TestGateway) =>
  weir.root.client.settings.update({
    options: Object.entries({
      ServerAddress: 'https://weir.example',
      CustomCallbackAddress: weir.url,
      PayAddress: epay.url,
      EpayId: EPAY.pid,
      EpayKey: EPAY.key,
      'stripe.secret_key': STRIPE.secretKey,
      'stripe.webhook_secret': STRIPE.webhookSecret,
    }).map(([key, value]) => ({ key, value })),
  })

type Person = Awaited<ReturnType<TestGateway['addVisitor']>>
const pay = async (person: Person, body: object) => (await person.send('POST', '/api/user/pay', { body })).json
const quotaOf = async ({ client }: Person) => (await client.users.self()).quota
const statusOf = async ({ client }: Person) => (await client.topups.listSelf()).items[0]?.status

describeWithGateway('a top-up at Epay', (weir) => {
  beforeEach(() => setUp(weir))
  const notify = async (query: URLSearchParams) => (await send('GET', `${weir.url}/api/user/epay/notify?${query}`)).text

  async function ordered() {
    const ada = await weir.addVisitor()
    const { data, url } = await pay(ada, { amount: 10, payment_method: 'zfb' })
    return { ada, form: data as Record<string, string>, url: url as string, tradeNo: data.out_trade_no as string }
  }

  it('is ordered, paid there, reported and credited, and the browser comes back', async () => {
    const { ada, form, url, tradeNo } = await ordered()
    expect(await epay.submit(url, form)).toEqual({ status: 200, text: 'pay 73.00' })
    expect(await statusOf(ada)).toBe('pending')
    const { answers, back } = await epay.pay(tradeNo)
    expect(answers).toEqual(['success'])
    expect([await quotaOf(ada), await statusOf(ada)]).toEqual([5_000_000, 'success'])
    expect(back.origin + back.pathname).toBe('https://weir.example/log')
    // Coming back with the same signed fields credits nothing.
    await send('GET', weir.url + back.pathname + back.search)
    expect((await epay.pay(tradeNo)).answers).toEqual(['success'])
    expect(await quotaOf(ada)).toBe(5_000_000)
    expect((await weir.root.client.quota.verify()).ok).toBe(true)
  })

  it('is refused there when the browser changed what it costs', async () => {
    const { ada, form, url } = await ordered()
    const cheaper = await epay.submit(url, { ...form, money: '0.01' })
    expect(cheaper).toEqual({ status: 403, text: 'wrong signature' })
    expect(await quotaOf(ada)).toBe(0)
  })

  it('is reported again until it is taken, and is credited once', async () => {
    const { ada, form, url, tradeNo } = await ordered()
    await epay.submit(url, form)
    await weir.set('EpayKey', 'another key')
    expect((await epay.pay(tradeNo, 2)).answers).toEqual(['fail', 'fail'])
    await weir.set('EpayKey', EPAY.key)
    const reports = await Promise.all([1, 2, 3].map(() => epay.pay(tradeNo)))
    expect(reports.map(({ answers }) => answers.at(-1))).toEqual(['success', 'success', 'success'])
    expect(await quotaOf(ada)).toBe(5_000_000)
  })

  it('is not credited by a report that is forged, changed, of another order or of none', async () => {
    const { ada, form, url, tradeNo } = await ordered()
    const other = await ordered()
    await epay.submit(url, form)
    const refused = [
      epay.report(tradeNo, { after: { sign: '0'.repeat(32) } }),
      epay.report(tradeNo, { after: { money: '7300.00' } }),
      epay.report(tradeNo, { after: { out_trade_no: other.tradeNo } }),
      epay.report(tradeNo, { before: { money: '0.01' } }),
      epay.report(tradeNo, { before: { money: '73.000' } }),
      epay.report(tradeNo, { before: { pid: '1002' } }),
      epay.report('USR1NOnone'),
    ]
    for (const query of refused) expect(await notify(query), String(query)).toBe('fail')
    expect(await notify(epay.report(tradeNo, { before: { trade_status: 'WAIT_BUYER_PAY' } }))).toBe('success')
    expect([await quotaOf(ada), await quotaOf(other.ada), await statusOf(ada)]).toEqual([0, 0, 'pending'])
  })
})

describeWithOwnGateway(
  'a top-up at Stripe',
  (weir) => {
    beforeEach(() => setUp(weir))
    const notify = (body: string, signature: string) =>
      send('POST', `${weir.url}/api/user/stripe/notify`, {
        headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
        body,
      })
    const now = () => Math.floor(Date.now() / 1000)

    async function ordered() {
      const ada = await weir.addVisitor()
      const { url, message } = await pay(ada, { amount: 10, payment_method: 'stripe' })
      expect(message).toBe('success')
      return { ada, session: stripe.session(url as string) }
    }

    it('is ordered, paid there, reported and credited, once however often it is reported', async () => {
      const { ada, session } = await ordered()
      const [order] = (await ada.client.topups.listSelf()).items
      expect(session).toMatchObject({ amount_total: 1000, currency: 'usd', client_reference_id: order?.trade_no })
      expect(session.expires_at).toBeGreaterThan(now() + 22 * 3600)
      const body = stripe.event(session)
      const answers = await Promise.all([1, 2, 3].map(() => notify(body, stripe.signature(body))))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      const late = stripe.event(session, { type: 'checkout.session.async_payment_succeeded' })
      expect((await notify(late, stripe.signature(late))).status).toBe(200)
      expect([await quotaOf(ada), await statusOf(ada)]).toEqual([5_000_000, 'success'])
      expect((await weir.root.client.quota.verify()).ok).toBe(true)
    })

    it('is not credited by an event that is forged, replayed, changed or of something else', async () => {
      const { ada, session } = await ordered()
      const body = stripe.event(session)
      const changed = stripe.event(session, { change: { amount_total: 1 } })
      const foreign = stripe.event(session, { change: { currency: 'jpy' } })
      const refused: [string, string][] = [
        [body, stripe.signature(body, { secret: 'whsec_another' })],
        [body, stripe.signature(body, { time: now() - 3600 })],
        [body, stripe.signature(body, { time: now() + 3600 })],
        [`${body} `, stripe.signature(body)],
        [body, ''],
        [changed, stripe.signature(changed)],
        [foreign, stripe.signature(foreign)],
      ]
      for (const [sent, signature] of refused) expect((await notify(sent, signature)).status, signature).toBe(400)
      const unpaid = stripe.event(session, { change: { payment_status: 'unpaid' } })
      const expired = stripe.event(session, { type: 'checkout.session.expired', change: { payment_status: 'unpaid' } })
      for (const other of [unpaid, expired]) expect((await notify(other, stripe.signature(other))).status).toBe(200)
      expect([await quotaOf(ada), await statusOf(ada)]).toEqual([0, 'pending'])
    })

    it('cannot pay an order of another service', async () => {
      await weir.set('stripe.currency', 'cny')
      const { ada, session } = await ordered()
      const { data } = await pay(ada, { amount: 10, payment_method: 'zfb' })
      const change = { client_reference_id: data.out_trade_no, amount_total: 7300 }
      const body = stripe.event(session, { change })
      expect((await notify(body, stripe.signature(body))).status).toBe(400)
      expect(await quotaOf(ada)).toBe(0)
    })

    it('cannot be begun with a key that Stripe does not know, and the key is told to nobody', async () => {
      await weir.set('stripe.secret_key', 'sk_test_wrong')
      const ada = await weir.addVisitor()
      const answer = await ada.send('POST', '/api/user/pay', { body: { amount: 10, payment_method: 'stripe' } })
      expect(answer.json).toMatchObject({ success: false, code: 'topup.start', data: 'Could not start the payment' })
      expect(answer.text).not.toContain('sk_test')
    })

    it('has no place to be reported to without its secrets', async () => {
      const { session } = await ordered()
      await weir.root.client.settings.update({ options: [{ key: 'stripe.webhook_secret', value: null }] })
      const body = stripe.event(session)
      expect((await notify(body, stripe.signature(body))).status).toBe(404)
      expect((await notify(body, stripe.signature(body, { secret: '' }))).status).toBe(404)
    })
  },
  { web: (guarded) => ({ send: (request) => stripe.web(guarded).send(request) }) },
)
