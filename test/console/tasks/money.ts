// Tasks with prices and balances.
import type { Page } from 'playwright-core'
import { formatQuotaText } from '../../../core/pricing/display.ts'
import { REDEMPTION_STATUS } from '../../../core/redemptions/redemption.ts'
import { called } from './calls.ts'
import type { Hand } from './hand.ts'
import { task, type Ground } from './task.ts'
import { actOn, actOnRow, dialog, found, goTo, inDialog, must, throughPalette } from './ways.ts'

const PRICED = 'gpt-4.1'
const SANDBOX = 1000
const DAYS = 7

/** In dollars, each component that is said. */
async function prices({ root }: Ground) {
  const rows = await root.prices.list({ keyword: PRICED })
  const { dollars } = rows.find(({ model, channel }) => model === PRICED && channel === '') ?? {}
  if (dollars?.input === undefined) throw new Error(`${PRICED} has no price`)
  return { ...dollars, input: dollars.input }
}

/** What a call with the same words costs now, in quota units. */
const costOfCall = async (ground: Ground): Promise<number> => {
  const { log } = await ground.root.logs.explain({ request_id: await called(ground, 'hello', PRICED) })
  return log?.quota ?? 0
}

/** The price is typed, and what it would have meant is read before it is saved. */
async function typePrice(hand: Hand, dollars: number): Promise<string> {
  const would = dialog(hand.page).locator('.price-would')
  await hand.press('Control+a')
  await hand.type(String(dollars))
  await would.waitFor()
  return would.innerText()
}

const inputField = (page: Page) => dialog(page).getByLabel('Input', { exact: true }).and(page.locator('input'))

export const raisePrice = task({
  title: 'Raise a price and see what it does',
  async prepare(ground, way) {
    // Somebody answers it here, so that its calls can be made.
    await ground.root.channels.create({
      ...{ type: SANDBOX, name: `answers by ${way}`, key: '', models: PRICED, group: 'default,vip', priority: 1000 },
    })
    const before = await costOfCall(ground)
    const usd = await prices(ground)
    const dollars = usd.input * 2
    const changes = [{ model: PRICED, usd: { ...usd, input: dollars } }]
    const { data } = await ground.root.prices.preview({ changes, days: DAYS })
    const sum = (of: 'charged' | 'would_charge') => data.reduce((all, row) => all + row[of], 0)
    const bills = { charged: sum('charged'), would_charge: sum('would_charge') }
    must(bills.charged > 0 && bills.would_charge > bills.charged, 'there are no bills to see it in')
    return { before, dollars, bills, read: { text: '' } }
  },
  async mouse(hand, { dollars, read }) {
    const { page } = hand
    await goTo(hand, 'Model prices')
    await hand.click(page.getByRole('textbox', { name: 'Model', exact: true }))
    await hand.type(PRICED)
    await hand.press('Enter')
    await page.waitForURL(/keyword=/)
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: PRICED, exact: true }) })
    if (hand.isPhone) await actOnRow(hand, PRICED, 'Edit price')
    else await hand.click(row.getByRole('button', { name: 'Edit price' }))
    await hand.click(inputField(page))
    read.text = await typePrice(hand, dollars)
    await hand.click(inDialog(page, 'Save price'))
  },
  async keyboard(hand, { dollars, read }) {
    const { page } = hand
    await actOn(hand, 'set the price', 'Set the price of a model', PRICED)
    await hand.tabTo(inputField(page))
    read.text = await typePrice(hand, dollars)
    await hand.press('Control+Enter')
  },
  async reached(page, { before, dollars, bills, read }, ground) {
    await page
      .locator('.toast')
      .filter({ hasText: `price of ${PRICED} saved` })
      .waitFor()
    const money = { quota_per_unit: UNITS, display_in_currency: true }
    const [after, now] = [bills.would_charge, bills.charged].map((units) => formatQuotaText(units, money))
    must(
      read.text.includes(`would have charged ${after} instead of ${now}`),
      `it said: ${read.text}, and not: ${after} instead of ${now}`,
    )
    must((await prices(ground)).input === dollars, 'the price was not saved')
    const cost = await costOfCall(ground)
    must(cost > before, `a call costs ${cost}, and before it was ${before}`)
  },
})

const UNITS = 500_000
const CODE_QUOTA = 10 * UNITS

export const topUpByCode = task({
  title: 'Top up by code',
  who: 'user',
  async prepare({ root, user }, way) {
    const { codes } = await root.redemptions.create({ name: `task by ${way}`, quota: CODE_QUOTA, count: 1 })
    const { quota } = await user.users.self()
    return { code: codes[0]!.key, before: quota }
  },
  async mouse(hand, { code }) {
    const { page } = hand
    await goTo(hand, 'Wallet')
    await hand.click(codeField(page))
    await hand.paste(code)
    await hand.click(page.getByRole('button', { name: 'Redeem', exact: true }))
  },
  async keyboard(hand, { code }) {
    await throughPalette(hand, 'redeem', found(hand.page, 'Redeem a code'))
    await hand.tabTo(codeField(hand.page))
    await hand.paste(code)
    await hand.press('Enter')
  },
  async reached(page, { code, before }, { root, user }) {
    await dialog(page).getByText('$10.00').first().waitFor()
    const { quota } = await user.users.self()
    must(quota === before + CODE_QUOTA, `the balance went from ${before} to ${quota}`)
    const { items } = await root.redemptions.search({ keyword: 'task by' })
    const found = items.find(({ key }) => key === code)
    must(found?.status === REDEMPTION_STATUS.used, 'the code can be used again')
  },
})

const codeField = (page: Page) => page.getByRole('main').getByLabel('Redemption code').and(page.locator('input'))
