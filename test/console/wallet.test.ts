// The wallet: the balance and how long it lasts, redeeming, topping up online, earnings.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { forecastBalance } from '../../console/screens/wallet/forecast.ts'
import { reader, signedIn, status } from './sample-data.ts'
import { page as pageOf } from './samples.ts'
import { orders } from './screens/wallet.ts'
import { sayYes, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(reader)

const DAY = 86_400
const AT = 1_790_000_000

describe('a forecast', () => {
  it.each([
    ['an even week', 700, [6, 5, 4, 3, 2, 1, 0].map((ago) => [ago + 1, 100] as const), { pastDays: 7, lasts: 7 }],
    ['the first call three days ago', 900, [[3, 300] as const], { pastDays: 3, lasts: 9 }],
    ['the first call today', 50, [[0, 100] as const], { pastDays: 1, lasts: 0.5 }],
    ['nothing spent', 900, [[3, 0] as const], { pastDays: 7, lasts: null }],
    ['no calls', 900, [], { pastDays: 7, lasts: null }],
    ['a debt', -5, [[2, 10] as const], { pastDays: 2, lasts: 0 }],
  ])('of %s', (_name, balance, spent, expected) => {
    const steps = spent.map(([ago, quota]) => ({ at: AT - ago * DAY, quota }))
    expect(forecastBalance(balance, steps, AT)).toEqual(expected)
  })
})

const usage = (rows: object[]) => ({ 'usage.querySelf': () => ({ data: { steps: [], rows, total: {} } }) })
const self = (change: object) => ({ 'users.self': () => ({ data: { ...reader, setting: '', ...change } }) })
// Whole seconds, as the page counts them: a part of one more would be a day less.
const daysAgo = (days: number) => Math.floor(Date.now() / 1000) - days * DAY

it.each([
  ['9 days', 4_500_000, [{ at: daysAgo(3), quota: 1_500_000 }], 'Lasts about 9 days at the rate of the last 3 days.'],
  ['hours', 1000, [{ at: daysAgo(7), quota: 700_000 }], 'Lasts less than a day at the rate of the last 7 days.'],
  ['years', 9e9, [{ at: daysAgo(7), quota: 700 }], 'Lasts more than a year at the rate of the last 7 days.'],
  ['unknown', 4_500_000, [], 'How long the balance will last is unknown: nothing was spent in the last 7 days.'],
  // What a team paid is not of this balance.
  ['team', 4_500_000, [{ at: daysAgo(3), quota: 9, team_id: 70 }], 'How long the balance will last is unknown'],
  ['nothing left', 0, [{ at: daysAgo(3), quota: 9 }], 'The balance is used up.'],
])('says how long the balance lasts: %s', async (_name, quota, rows, said) => {
  site.server.use({ ...usage(rows), ...self({ quota }) })
  await site.visit('/topup', { storage }, async (page) => {
    await page.getByText(said).waitFor()
    await expect.poll(() => page.getByText('your warning threshold').count()).toBe(quota < 500_000 ? 1 : 0)
  })
  expect(site.inputs('usage.querySelf')[0]).toMatchObject({ step: 'day', by: 'team' })
})

it('warns below what the user has set, and says where nothing could be read', async () => {
  site.server.use({
    ...self({ quota: 4_000_000, setting: JSON.stringify({ quota_warning_threshold: 5_000_000 }) }),
    'usage.querySelf': () => ({ refuse: 'x', status: 500 }),
  })
  await site.visit('/topup', { storage, expected: /500/ }, async (page) => {
    await page.getByText('The balance is below your warning threshold of $10.00').waitFor()
    await page.getByText('How long the balance will last could not be estimated.').waitFor()
    site.server.use({ 'users.self': () => ({ refuse: 'The books are closed' }) })
    await page.reload()
    await page.getByText('The balance could not be loaded').waitFor()
    site.server.use(self({ quota: 4_000_000 }))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('$8.00').waitFor()
  })
})

it('redeems a code that is typed in or stands in the address, and says what was added', async () => {
  const redeem = (page: Page) => page.getByRole('button', { name: 'Redeem', exact: true }).click()
  await site.visit('/topup?code=abc123', { storage }, async (page) => {
    const code = page.getByLabel('Redemption code').last()
    await expect.poll(() => code.inputValue()).toBe('abc123')
    await code.fill('  ')
    await redeem(page)
    await page.getByText('Please enter a redemption code!').waitFor()
    expect(site.inputs('redemptions.redeem')).toEqual([])
    await code.fill(' xyz ')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('paragraph').getByText('redeemed, quota added: $1.00').waitFor()
    await page.locator('.toast').getByText('redeemed, quota added: $1.00').waitFor()
    await page.keyboard.press('Escape')
    expect(site.inputs('redemptions.redeem')).toEqual([{ key: 'xyz' }])
    await expect.poll(() => code.inputValue()).toBe('')
    expect(new URL(page.url()).search).toBe('')
    // The balance was read again.
    await expect.poll(() => site.inputs('users.self').length).toBe(2)

    site.server.use({ 'redemptions.redeem': () => ({ refuse: 'This code cannot be used any more' }) })
    await code.fill('xyz')
    await redeem(page)
    await page.getByRole('alert').filter({ hasText: 'This code cannot be used any more' }).waitFor()
    await expect.poll(() => code.inputValue()).toBe('xyz')
  })
  site.server.use({ 'redemptions.redeem': () => ({ refuse: 'x', status: 503 }) })
  await site.visit('/topup?code=abc', { storage, expected: /503/ }, async (page) => {
    await redeem(page)
    await page.getByText('Request failed').waitFor()
  })
})

it('leads to where codes are sold, or says that nobody has set that', async () => {
  await site.visit('/topup', { storage, language: 'zh' }, async (page) => {
    await page.getByRole('button', { name: '获取兑换码' }).click()
    await page.getByText('超级管理员还没有设置充值链接！').waitFor()
  })
  await site.visit('/topup', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Get a code' }).click()
    await page.getByText('The super administrator has not set a top-up link!').waitFor()
    site.server.use({ 'site.status': () => ({ data: { ...status, top_up_link: `${site.server.url}/shop` } }) })
    await page.reload()
    await page.getByText('My wallet').waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('status'))).toContain('/shop')
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Get a code' }).click()
    expect((await opened).url()).toBe(`${site.server.url}/shop`)
  })
})

const online = {
  ...status,
  ...{ enable_online_topup: true, enable_stripe_topup: true, min_topup: 3, price: 7.3, stripe_price: 1.1 },
  stripe_currency: 'usd',
}
const done = { beside: { success: true, message: 'success' } }

it('says that online top-up is not enabled', async () => {
  await site.visit('/topup', { storage }, async (page) => {
    await page.getByText('The administrator has not enabled online top-up!').waitFor()
    await expect.poll(() => page.getByLabel('Amount (in $)').last().isDisabled()).toBe(true)
    await expect.poll(() => page.getByRole('button', { name: 'Alipay' }).count()).toBe(0)
    expect(site.inputs('topups.amount')).toEqual([])
  })
})

it('asks what an amount costs once nobody types any more, and posts the form that the server gives', async () => {
  let paid = false
  site.server.use({
    'site.status': () => ({ data: online }),
    'topups.amount': ({ amount, payment_method }) => ({
      data: (Number(amount) * (payment_method === 'stripe' ? 1.1 : 7.3)).toFixed(2),
      ...done,
    }),
    'topups.pay': ({ amount }) => ({
      data: { pid: '1001', money: String(Number(amount) * 7.3), out_trade_no: 'USR2NOnew' },
      beside: { success: true, message: 'success', url: `${site.server.url}/paid-here` },
    }),
    'topups.listSelf': () => {
      const asked = site.inputs('topups.pay').length > 0
      const order = {
        ...orders[1]!,
        id: 9,
        user_id: 2,
        trade_no: 'USR2NOnew',
        create_time: Math.floor(Date.now() / 1000),
      }
      return { data: pageOf(asked ? [{ ...order, status: paid ? 'success' : 'pending' }, ...orders] : orders) }
    },
  })
  await site.visit('/topup', { storage }, async (page) => {
    const amount = page.getByLabel('Amount (in $)').last()
    await page.getByText('Payable: ¥73.00').waitFor()
    // The price at the second service is asked for once the visitor touches the page.
    expect(site.inputs('topups.amount').map((asked) => asked['payment_method'])).not.toContain('stripe')
    await page.keyboard.press('Shift')
    await page.getByText('Payable: $11.00').waitFor()
    await page.getByText('¥7.30 for $1').waitFor()
    const before = site.inputs('topups.amount').length
    await amount.press('End')
    await amount.pressSequentially('5', { delay: 20 })
    await page.getByText('Payable: ¥766.50').waitFor()
    expect(
      site
        .inputs('topups.amount')
        .slice(before)
        .map((each) => each['amount']),
    ).toEqual([105, 105])

    await amount.fill('2')
    await page.getByRole('button', { name: 'WeChat' }).click()
    await page.getByText('Top-up amount cannot be less than 3').waitFor()
    expect(site.inputs('topups.pay')).toEqual([])
    await amount.fill('0')
    await amount.blur()
    await expect.poll(() => amount.inputValue()).toBe('1')
    // What is less than the least is not offered.
    await page.getByRole('button', { name: '$20', exact: true }).click()
    await page.getByText('Payable: ¥146.00').waitFor()
    await page.getByRole('button', { name: 'Alipay' }).click()
    await page.getByRole('dialog').getByText('Confirm the top-up? amount 20, payable ¥146.00').waitFor()
    expect(site.inputs('topups.pay')).toEqual([])
    const opened = page.waitForEvent('popup')
    await sayYes(page, 'Pay')
    const popup = await opened
    await popup.waitForURL('**/paid-here')
    expect(site.inputs('topups.pay')).toEqual([{ amount: 20, payment_method: 'zfb' }])
    await page.getByText('Order USR2NOnew for ¥73.00 is waiting for its payment.').waitFor()
    paid = true
    await page.getByText('paid, quota added: $10.00').waitFor()
    await expect.poll(() => page.getByText('is waiting for its payment').count()).toBe(0)
    await page.getByRole('row').filter({ hasText: 'USR2NOnew' }).getByText('paid', { exact: true }).waitFor()
  })
})

it('goes to the page of a service that gives no form, and says why it would not', async () => {
  const refused = { refuse: 'Could not start the payment' }
  site.server.use({
    'site.status': () => ({ data: { ...online, enable_online_topup: false, display_in_currency: false } }),
    'topups.amount': () => ({ data: '11.00', ...done }),
    'topups.pay': () => refused,
  })
  await site.visit('/topup', { storage }, async (page) => {
    await expect.poll(() => page.getByRole('button', { name: 'Alipay' }).count()).toBe(0)
    await page.getByText('At least 1500000').waitFor()
    await page.getByText('Payable: $11.00').waitFor()
    expect(site.inputs('topups.amount').at(-1)).toEqual({ amount: 5_000_000, payment_method: 'stripe' })
    await page.getByRole('button', { name: 'Card (Stripe)' }).click()
    await sayYes(page, 'Pay')
    await page.getByRole('alert').filter({ hasText: 'Could not start the payment' }).waitFor()
    const url = `${site.server.url}/checkout?session=1#part`
    site.server.use({ 'topups.pay': () => ({ data: {}, beside: { ...done.beside, url } }) })
    await page.getByRole('button', { name: 'Card (Stripe)' }).click()
    const opened = page.waitForEvent('popup')
    await sayYes(page, 'Pay')
    expect((await opened).url()).toBe(url)
    site.server.use({ 'topups.amount': () => ({ refuse: 'The amount is too large' }) })
    await page.getByRole('button', { name: '50.0M', exact: true }).click()
    await page.getByText('The amount is too large').waitFor()
  })
})

it('moves invitation earnings: not less than one unit, nor more than there is', async () => {
  await site.visit('/topup', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Transfer to the balance' }).click()
    const panel = page.getByRole('dialog')
    const amount = panel.getByLabel('Quota').last()
    const transfer = () => panel.getByRole('button', { name: 'Transfer', exact: true }).click()
    await expect.poll(() => amount.inputValue()).toBe('1.00')
    await amount.fill('0.999998')
    await transfer()
    await panel.getByText('minimum transfer amount $1.00').waitFor()
    await amount.fill('2.500002')
    await transfer()
    await panel.getByText('more than is available').waitFor()
    expect(site.inputs('users.affTransfer')).toEqual([])
    await panel.getByRole('button', { name: '$2.50' }).click()
    await transfer()
    await page.getByText('transferred to the balance: $2.50').waitFor()
    expect(site.inputs('users.affTransfer')).toEqual([{ quota: 1_250_000 }])
    await expect.poll(() => site.inputs('users.self').length).toBe(2)
  })
})
