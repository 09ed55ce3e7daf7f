// Online top-ups: ordered here, paid elsewhere, credited once for exactly what was ordered.
import { createHash } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
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

  it("shows nobody another's orders", async () => {
    const [ada, bob] = [await weir.addVisitor(), await weir.addVisitor()]
    await pay(ada, { amount: 10 })
    expect((await bob.client.topups.listSelf()).total).toBe(0)
    expect((await weir.root.client.topups.list()).items[0]?.user_id).toBe(ada.user.id)
  })
})
