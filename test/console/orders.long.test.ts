// Orders of the wallet, and the invoices that are printed of them.
import { describe, expect, it } from 'vitest'
import { NOW, reader, root, signedIn, status } from './sample-data.ts'
import { page as paged } from './samples.ts'
import { orders } from './screens/wallet.ts'
import { fromMenu, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(reader)

it('lists orders with their states, prints the invoice of a paid one, and shows administrators those of everybody', async () => {
  await site.visit('/topup', { storage: signedIn(root) }, async (page) => {
    const row = (order: string) => page.getByRole('row').filter({ hasText: order })
    await row('USR1NOabc3').getByText('expired').waitFor()
    await expect.poll(() => row('USR1NOabc3').getByRole('button', { name: 'Invoice' }).count()).toBe(0)
    await row('USR1NOabc2').getByRole('button', { name: 'Invoice' }).click()
    const invoice = page.getByRole('dialog')
    for (const text of ['Weir', 'USR1NOabc2', '20260917001', 'Root (root), #1', '¥73.00', '$10.00', 'Alipay'])
      await invoice.getByText(text, { exact: true }).waitFor()
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.locator('.print-only').isVisible()).toBe(true)
    await expect.poll(() => page.locator('#root').isVisible()).toBe(false)
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(() => (window.print = () => void document.body.setAttribute('data-printed', '')))
    await invoice.getByRole('button', { name: 'Print' }).click()
    await expect.poll(() => page.locator('body[data-printed]').count()).toBe(1)
    await page.keyboard.press('Escape')

    await page.getByText('Orders of all users').click()
    await page.waitForURL(/all=true/)
    await row('USR7NOabc1').getByRole('link', { name: '#7' }).waitFor()
    await row('USR7NOabc1').getByRole('button', { name: 'Invoice' }).click()
    await invoice.getByText('Bob (bob), #7').waitFor()
  })
  site.server.asked.length = 0
  await site.visit('/topup?all=true', { storage }, async (page) => {
    await page.getByRole('row').filter({ hasText: 'USR1NOabc2' }).waitFor()
    await expect.poll(() => page.getByText('Orders of all users').count()).toBe(0)
    expect(site.inputs('topups.list')).toHaveLength(0)
  })
})

it('prints the seller as the operator says, and the buyer as they were typed, which is kept for that user alone', async () => {
  const seller = 'Weir Works GmbH\n1 River Street\nVAT DE123456789'
  const stated = { ...status, invoice_seller: seller }
  site.server.use({ 'site.status': () => ({ data: stated }) })
  const local = { ...signedIn(root), status: JSON.stringify(stated) }
  await site.visit('/topup?all=true', { storage: local }, async (page) => {
    const dialog = page.getByRole('dialog')
    const open = async (order: string) => {
      await page.getByRole('row').filter({ hasText: order }).getByRole('button', { name: 'Invoice' }).click()
      await dialog.getByText('Weir Works GmbH', { exact: true }).waitFor()
    }
    const buyer = dialog.getByRole('textbox', { name: 'Bill to' })
    const paper = page.locator('.print-only')
    await open('USR1NOabc2')
    await expect.poll(() => paper.locator('header address').innerText()).toBe('1 River Street\nVAT DE123456789')
    await expect.poll(() => paper.getByText('Bill to').count()).toBe(0)
    await buyer.fill('Ada & Sons\n2 Mill Lane')
    await expect.poll(() => dialog.locator('.invoice-buyer').innerText()).toBe('Bill to\nAda & Sons\n2 Mill Lane')
    await expect.poll(() => paper.locator('.invoice-buyer address').textContent()).toBe('Ada & Sons\n2 Mill Lane')
    // What is typed into stands over the paper and not on it.
    await expect.poll(() => paper.locator('textarea').count()).toBe(0)
    await page.keyboard.press('Escape')
    await open('USR7NOabc1')
    await expect.poll(() => buyer.inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await page.reload()
    await open('USR1NOabc2')
    await expect.poll(() => buyer.inputValue()).toBe('Ada & Sons\n2 Mill Lane')
  })
})

describe('what an administrator decides about an order', () => {
  const report = { money: 7000, currency: 'cny', provider_trade_no: '20260917009', time: NOW - 60 }
  const open = { ...orders[0]!, id: 9, user_id: 7, trade_no: 'USR7NO0009', status: 'pending' as const }
  const differs = { ...open, needs_review: true, reports: [report], note: 'asked the bank' }
  const admin = { ...root, role: 10 }

  it('offers it for open orders of everybody only, and a note for all', async () => {
    site.server.use({ 'topups.list': () => ({ data: paged([differs, ...orders]) }) })
    await site.visit('/topup?all=true', { storage: signedIn(admin), width: 1600 }, async (page) => {
      for (const [order, offered] of [
        ['USR7NO0009', ['Complete', 'Note', 'Cancel the order']],
        ['USR1NOabc3', ['Complete', 'Note', 'Cancel the order']],
        ['USR1NOabc2', ['Note']],
      ] as const) {
        await page.getByRole('button', { name: `More for ${order}`, exact: true }).click()
        await page.getByRole('menuitem').first().waitFor()
        expect((await page.getByRole('menuitem').allInnerTexts()).map((text) => text.trim())).toEqual(offered)
        await page.keyboard.press('Escape')
      }
      const row = page.getByRole('row').filter({ hasText: 'USR7NO0009' })
      await expect.poll(() => row.locator('.order-differs').innerText()).toContain('70.00')
    })
    await site.visit('/topup', { storage: signedIn(admin) }, async (page) => {
      await page.getByRole('row').filter({ hasText: 'USR1NOabc2' }).waitFor()
      await expect.poll(() => page.getByRole('button', { name: /^More for USR/ }).count()).toBe(0)
    })
  })

  it.each([
    ['complete', 'Complete', 'Complete order USR7NO0009', 'order completed'],
    ['cancel', 'Cancel the order', 'Cancel order USR7NO0009', 'order cancelled'],
  ] as const)('%s: asks for a reason, sends it once, and reads the orders anew', async (act, entry, title, done) => {
    let order: typeof differs = differs
    const reason = act === 'complete' ? 'paid by transfer' : 'a mistake'
    site.server.use({
      'topups.list': () => ({ data: paged([order]) }),
      [`topups.${act}`]: ({ reason: given }) => {
        if (given !== reason) return { refuse: 'give a reason', field: 'reason' }
        const states = { complete: 'success', cancel: 'cancelled' } as const
        order = { ...differs, status: states[act] as 'pending', needs_review: false, note: reason }
        return { data: order }
      },
    })
    await site.visit('/topup?all=true', { storage: signedIn(admin), width: 1600 }, async (page) => {
      await fromMenu(page, 'USR7NO0009', entry)
      const panel = page.getByRole('dialog', { name: title })
      await panel.getByText('¥73.00').waitFor()
      await panel.getByText('20260917009').waitFor()
      await panel.getByText('asked the bank').waitFor()
      const submit = panel.locator('button[type=submit]')
      await submit.click()
      await panel.locator('[data-field=reason] .field-error').waitFor()
      await panel.getByLabel('Reason', { exact: true }).last().fill(reason)
      await submit.click()
      await page.locator('.toast').getByText(done, { exact: true }).waitFor()
      await panel.waitFor({ state: 'hidden' })
      const row = page.getByRole('row').filter({ hasText: 'USR7NO0009' })
      await row.getByText(act === 'complete' ? 'paid' : 'cancelled', { exact: true }).waitFor()
      expect(site.inputs(`topups.${act}`).filter((each) => each['reason'] === reason)).toEqual([
        { trade_no: 'USR7NO0009', reason },
      ])
    })
  })

  it('keeps and empties a note', async () => {
    site.server.use({
      'topups.list': () => ({ data: paged([differs]) }),
      'topups.note': ({ note }) => ({ data: { ...differs, note: String(note) } }),
    })
    await site.visit('/topup?all=true', { storage: signedIn(admin) }, async (page) => {
      for (const note of ['seen', '']) {
        await fromMenu(page, 'USR7NO0009', 'Note')
        const panel = page.getByRole('dialog', { name: 'Note on order USR7NO0009' })
        const field = panel.getByLabel('Note', { exact: true }).last()
        await expect.poll(() => field.inputValue()).toBe('asked the bank')
        await field.fill(note)
        await panel.locator('button[type=submit]').click()
        await panel.waitFor({ state: 'hidden' })
      }
      expect(site.inputs('topups.note').map(({ note }) => note)).toEqual(['seen', ''])
    })
  })

  it('fits a phone, dark and in Chinese', async () => {
    site.server.use({ 'topups.list': () => ({ data: paged([differs]) }) })
    const phone = { storage: signedIn(admin), width: 390, height: 844, dark: true, language: 'zh' as const }
    await site.visit('/topup?all=true', phone, async (page) => {
      await page.locator('.wallet-orders').getByRole('button', { name: 'USR7NO0009 的更多操作' }).click()
      await page.getByRole('menuitem', { name: '补单', exact: true }).click()
      const panel = page.getByRole('dialog', { name: '为订单 USR7NO0009 补单' })
      await panel.getByText('20260917009').waitFor()
      expect((await panel.innerText()).replace('asked the bank', '')).not.toMatch(/[a-z]{3,}/)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      const wide = await panel.evaluate((one) => one.scrollWidth - one.clientWidth)
      expect(wide).toBeLessThanOrEqual(0)
    })
  })
})
