// Online top-ups: ordered here, paid elsewhere, credited once for exactly what was ordered.
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { describeWithGateway, type TestGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'

const KEY = 'epay-key'

/** What the gateway of the merchant signs, by its own documents: sorted, joined, the key behind it. */
function signed(fields: Record<string, string>, key = KEY): string {
  const text = Object.keys(fields)
    .sort()
    .filter((name) => fields[name] !== '')
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
  const sign = createHash('md5')
    .update(text + key)
    .digest('hex')
  return new URLSearchParams({ ...fields, sign, sign_type: 'MD5' }).toString()
}

async function setUp(weir: TestGateway) {
  const options = {
    ServerAddress: 'https://weir.example',
    PayAddress: 'https://pay.example/',
    EpayId: '1001',
    EpayKey: KEY,
  }
  await weir.root.client.settings.update({
    options: Object.entries(options).map(([key, value]) => ({ key, value })),
  })
}

describeWithGateway('Epay', (weir) => {
  beforeEach(() => setUp(weir))

  const pay = async (visitor: { send: TestGateway['root']['send'] }, body: object) =>
    (await visitor.send('POST', '/api/user/pay', { body })).json
  const notify = (query: string) => send('GET', `${weir.url}/api/user/epay/notify?${query}`)
  const notice = (form: Record<string, string>, more: Record<string, string> = {}) => ({
    ...{ pid: '1001', trade_no: 'E77', out_trade_no: form.out_trade_no ?? '', type: 'alipay', name: form.name ?? '' },
    ...{ money: form.money ?? '', trade_status: 'TRADE_SUCCESS' },
    ...more,
  })

  it('keeps when and by which number an order was paid first', async () => {
    const { topups } = weir.gateway.ports.storage
    const bought = { amount: 1, money: 730, currency: 'cny', quota: 500_000, provider: 'epay', method: 'alipay' }
    const trade_no = `USR${weir.rootId}NOtwice`
    await topups.insert({ ...bought, user_id: weir.rootId, trade_no, create_time: 1 })
    const { id } = (await topups.findByTradeNo(trade_no))!
    await topups.markPaid(id, { time: 2, provider_trade_no: 'first' })
    await topups.markPaid(id, { time: 3, provider_trade_no: 'second' })
    expect(await topups.findByTradeNo(trade_no)).toMatchObject({ paid_time: 2, provider_trade_no: 'first' })
  })

  it('gets a signed form, and its report credits what was ordered, once', async () => {
    const ada = await weir.addVisitor({ quota: 1 })
    const { data, url, message } = await pay(ada, { amount: 10, payment_method: 'zfb' })
    expect({ url, message }).toEqual({ url: 'https://pay.example/submit.php', message: 'success' })
    expect(data).toMatchObject({
      ...{ pid: '1001', type: 'alipay', name: 'TUC10', money: '73.00', device: 'pc', sign_type: 'MD5' },
      notify_url: 'https://weir.example/api/user/epay/notify',
      return_url: 'https://weir.example/log',
    })
    expect(data.out_trade_no).toMatch(new RegExp(`^USR${ada.user.id}NO[0-9A-Za-z]{6}\\d{10}$`))
    const { sign, sign_type: _, ...fields } = data
    expect(new URLSearchParams(signed(fields)).get('sign')).toBe(sign)

    const query = signed(notice(data))
    const answers = await Promise.all([notify(query), notify(query), notify(query)])
    expect(answers.map(({ text }) => text)).toEqual(['success', 'success', 'success'])
    expect((await ada.client.users.self()).quota).toBe(5_000_001)
    const [order] = (await ada.client.topups.listSelf()).items
    expect(order).toMatchObject({ status: 'success', money: 7300, quota: 5_000_000, provider_trade_no: 'E77' })
    const [row] = (await ada.client.logs.listSelf({ type: 1 })).items
    expect(row?.content).toBe('Online top-up: credited $10.000000, paid 73.00 CNY')
    expect((await weir.root.client.quota.verify()).ok).toBe(true)
  })

  it('may post its report as a form', async () => {
    const ada = await weir.addVisitor()
    const { data } = await pay(ada, { amount: 1, payment_method: 'wx' })
    expect(data.type).toBe('wxpay')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await send('POST', `${weir.url}/api/user/epay/notify`, { headers, body: signed(notice(data)) })
    expect(answer.text).toBe('success')
    expect((await ada.client.users.self()).quota).toBe(500_000)
  })

  it('D1: is not believed when anything is not as it was ordered and signed', async () => {
    const ada = await weir.addVisitor()
    const { data } = await pay(ada, { amount: 10 })
    const good = notice(data)
    const bad = [
      signed(good, 'another key'),
      signed(good, ''),
      signed(good).replace(/sign=\w+/, 'sign='),
      signed(good).replace('money=73.00', 'money=7300.00'),
      signed({ ...good, money: '73.01' }),
      signed({ ...good, money: '-73.00' }),
      signed({ ...good, pid: '1002' }),
      signed({ ...good, out_trade_no: 'USR1NOabcdef1' }),
      '',
    ]
    for (const query of bad) expect((await notify(query)).text, query).toBe('fail')
    const waiting = signed({ ...good, trade_status: 'WAIT_BUYER_PAY' })
    expect((await notify(waiting)).text).toBe('success')
    expect((await ada.client.users.self()).quota).toBe(0)
    expect((await ada.client.topups.listSelf()).items[0]?.status).toBe('pending')
  })

  it('D1: has no place to report to without its key', async () => {
    await weir.root.client.settings.update({ options: [{ key: 'EpayKey', value: null }] })
    const query = signed({ pid: '1001', trade_status: 'TRADE_SUCCESS' }, '')
    expect((await notify(query)).status).toBe(404)
    const ada = await weir.addVisitor()
    expect(await pay(ada, { amount: 10 })).toMatchObject({
      ...{ success: false, code: 'topup.unset', data: 'The administrator has not enabled online top-up!' },
    })
  })

  it('costs price, group ratio and minimum', async () => {
    await weir.set('TopupGroupRatio', { default: 1, vip: 0.5 })
    await weir.set('MinTopUp', 5)
    const ada = await weir.addVisitor({ patch: { group: 'vip' } })
    const amount = async (value: unknown) => {
      const { json } = await ada.send('POST', '/api/user/amount/', { body: { amount: value, top_up_code: '' } })
      return [json.success, json.data]
    }
    expect(await amount(10)).toEqual([true, '36.50'])
    expect(await amount(4)).toEqual([false, 'Top-up amount cannot be less than 5'])
    for (const wrong of [0, -10, 1.5]) expect((await amount(wrong))[0], String(wrong)).toBe(false)
    await weir.set('DisplayInCurrencyEnabled', false)
    expect(await amount(2_500_001)).toEqual([true, '18.25'])
  })

  describe('decisions of administrators', () => {
    const order = async (trade_no: string) => {
      const { items } = await weir.root.client.topups.list({ page_size: 100 })
      return items.find((each) => each.trade_no === trade_no)
    }
    const quotaOf = async (visitor: { client: TestGateway['root']['client'] }) =>
      (await visitor.client.users.self()).quota
    const attentionOf = async (trade_no: string) =>
      (await weir.root.client.attention.list()).filter(({ name }) => name === trade_no)
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: { code?: string }) => error.code,
      )

    it('keep a signed report of another amount at the order and in attention until one is made', async () => {
      const ada = await weir.addVisitor()
      const { data } = await pay(ada, { amount: 10 })
      const trade_no = data.out_trade_no as string
      const other = signed(notice(data, { money: '55.00' }))
      expect((await notify(other)).text).toBe('fail')
      expect((await notify(other)).text).toBe('fail')
      expect((await notify(signed(notice(data, { money: '12.00', trade_no: 'E78' })))).text).toBe('fail')
      expect(await order(trade_no)).toMatchObject({
        status: 'pending',
        needs_review: true,
        reports: [
          { provider: 'epay', provider_trade_no: 'E77', money: 5500, currency: 'cny' },
          { provider: 'epay', provider_trade_no: 'E78', money: 1200, currency: 'cny' },
        ],
      })
      expect(await attentionOf(trade_no)).toMatchObject([
        { kind: 'payment_differs', paid: '12.00 CNY', price: '73.00 CNY' },
      ])
      const listed = (await weir.root.client.topups.list({ needs_review: 'true', page_size: 100 })).items
      expect(listed.map((each) => each.trade_no)).toContain(trade_no)
      // A report that is not signed leaves nothing.
      await notify(signed(notice(data, { money: '66.00' }), 'another key'))
      expect((await order(trade_no))?.reports).toHaveLength(2)

      await weir.root.client.topups.note({ trade_no, note: 'asked for the rest' })
      expect(await order(trade_no)).toMatchObject({
        status: 'pending',
        note: 'asked for the rest',
        needs_review: false,
      })
      expect(await attentionOf(trade_no)).toEqual([])
      // The same report is repeated by the service for a day, and needs no second review.
      await notify(other)
      expect((await order(trade_no))?.needs_review).toBe(false)
      await notify(signed(notice(data, { money: '18.00', trade_no: 'E79' })))
      expect((await order(trade_no))?.needs_review).toBe(true)
      expect(await quotaOf(ada)).toBe(0)
      // The payer sees the reports, and no note.
      expect((await ada.client.topups.listSelf()).items[0]).toMatchObject({ note: '', noted_by: 0, noted_time: 0 })
    })

    it('complete an order once, and late reports credit nothing more', async () => {
      const ada = await weir.addVisitor()
      const { data } = await pay(ada, { amount: 10 })
      const trade_no = data.out_trade_no as string
      const { complete, cancel } = weir.root.client.topups
      const decide = { trade_no, reason: 'in the account statement' }
      const codes = await Promise.all([codeOf(complete(decide)), codeOf(complete(decide))])
      expect(codes.sort()).toEqual(['done', 'topup.decided'])
      expect(await codeOf(cancel(decide))).toBe('topup.decided')
      expect(await quotaOf(ada)).toBe(5_000_000)
      expect((await notify(signed(notice(data)))).text).toBe('success')
      expect((await notify(signed(notice(data, { money: '55.00' })))).text).toBe('fail')
      expect(await quotaOf(ada)).toBe(5_000_000)
      expect(await order(trade_no)).toMatchObject({
        ...{ status: 'success', provider_trade_no: 'E77', note: 'in the account statement', noted_by: weir.rootId },
        reports: [{ money: 5500 }],
      })
      const [row] = (await ada.client.logs.listSelf({ type: 1 })).items
      expect(row?.content).toMatch(
        /^Online top-up, completed by root \(\d+\): credited \$10\.000000, ordered for 73\.00 CNY$/,
      )
      const [audited] = (await weir.root.client.audit.list({ target: trade_no })).items
      expect(audited).toMatchObject({ action: 'topup.complete', before: '{"status":"pending"}' })
      expect((await weir.root.client.quota.verify()).ok).toBe(true)
    })

    it('and a report at the same time credit once', async () => {
      const ada = await weir.addVisitor()
      const { data } = await pay(ada, { amount: 10 })
      const reason = 'in the account statement'
      await Promise.all([
        codeOf(weir.root.client.topups.complete({ trade_no: data.out_trade_no, reason })),
        notify(signed(notice(data))),
        codeOf(weir.root.client.topups.complete({ trade_no: data.out_trade_no, reason })),
        notify(signed(notice(data))),
      ])
      expect(await quotaOf(ada)).toBe(5_000_000)
      expect(await order(data.out_trade_no)).toMatchObject({ status: 'success', reports: [] })
    })

    it('cancel an order for good, and a late report stands at it', async () => {
      const ada = await weir.addVisitor()
      const { data } = await pay(ada, { amount: 10 })
      const trade_no = data.out_trade_no as string
      const decide = { trade_no, reason: 'paid back' }
      expect(await weir.root.client.topups.cancel(decide)).toMatchObject({ status: 'cancelled', note: 'paid back' })
      expect(await codeOf(weir.root.client.topups.complete(decide))).toBe('topup.decided')
      expect(await codeOf(weir.root.client.topups.cancel(decide))).toBe('topup.decided')
      expect((await notify(signed(notice(data)))).text).toBe('success')
      expect(await quotaOf(ada)).toBe(0)
      expect(await order(trade_no)).toMatchObject({
        status: 'cancelled',
        needs_review: true,
        reports: [{ money: 7300 }],
      })
      expect(await attentionOf(trade_no)).toHaveLength(1)
    })

    it('are made with a reason, and for users of a lower role only', async () => {
      const admin = await weir.addVisitor({ patch: { role: 10 } })
      const { data } = await pay(admin, { amount: 10 })
      const decide = { trade_no: data.out_trade_no as string, reason: 'mine' }
      expect(await codeOf(admin.client.topups.complete(decide))).toBe('user.edit_denied')
      expect(await codeOf(admin.client.topups.cancel(decide))).toBe('user.edit_denied')
      for (const reason of ['', '  ', 'x'.repeat(201)])
        expect(await codeOf(weir.root.client.topups.complete({ ...decide, reason })), reason).not.toBe('done')
      const missing = { trade_no: 'USR1NOnone', reason: 'why' }
      expect(await codeOf(weir.root.client.topups.complete(missing))).toBe('topup.missing')
      const ada = await weir.addVisitor()
      expect((await ada.send('POST', '/api/topup/complete', { body: decide })).json.success).toBe(false)
      expect((await order(decide.trade_no))?.status).toBe('pending')
    })
  })

  it("shows nobody another's orders", async () => {
    const [ada, bob] = [await weir.addVisitor(), await weir.addVisitor()]
    await pay(ada, { amount: 10 })
    expect((await bob.client.topups.listSelf()).total).toBe(0)
    expect((await weir.root.client.topups.list()).items[0]?.user_id).toBe(ada.user.id)
  })
})
