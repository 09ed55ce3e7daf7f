// Orders of the wallet, and the invoices that are printed of them.
import { expect, it } from 'vitest'
import { reader, root, signedIn, status } from './sample-data.ts'
import { useConsole } from './visit.ts'

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

    await page.getByText('Orders of everybody').click()
    await page.waitForURL(/all=true/)
    await row('USR7NOabc1').getByRole('link', { name: '#7' }).waitFor()
    await row('USR7NOabc1').getByRole('button', { name: 'Invoice' }).click()
    await invoice.getByText('Bob (bob), #7').waitFor()
  })
  site.server.asked.length = 0
  await site.visit('/topup?all=true', { storage }, async (page) => {
    await page.getByRole('row').filter({ hasText: 'USR1NOabc2' }).waitFor()
    await expect.poll(() => page.getByText('Orders of everybody').count()).toBe(0)
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
    const buyer = dialog.getByRole('textbox', { name: 'Made out to' })
    const paper = page.locator('.print-only')
    await open('USR1NOabc2')
    await expect.poll(() => paper.locator('header address').innerText()).toBe('1 River Street\nVAT DE123456789')
    await expect.poll(() => paper.getByText('Made out to').count()).toBe(0)
    await buyer.fill('Ada & Sons\n2 Mill Lane')
    await expect.poll(() => dialog.locator('.invoice-buyer').innerText()).toBe('Made out to\nAda & Sons\n2 Mill Lane')
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
