// Tasks with settings.
import type { Locator, Page } from 'playwright-core'
import { startMailServer } from '../../support/mail-server.ts'
import type { Hand } from './hand.ts'
import { task } from './task.ts'
import { found, goTo, must, throughPalette } from './ways.ts'

const ACCOUNT = { user: 'weir', pass: 'mail password' }
const SENDER = 'weir@example.com'

const card = (page: Page) => page.getByRole('region', { name: 'Mail', exact: true })
const field = (page: Page, name: string) => card(page).getByLabel(name, { exact: true }).and(page.locator('input'))
const button = (page: Page, name: string) => card(page).getByRole('button', { name, exact: true })

/** What is written into the fields, in their order. */
const written = (port: number) => ({
  'Mail server': '127.0.0.1',
  'Mail port': String(port),
  'Mail account': ACCOUNT.user,
  Sender: SENDER,
  'Mail password': ACCOUNT.pass,
})

/** Fills all of them; `to` goes to a field. */
async function fillIn(hand: Hand, port: number, to: (field: Locator) => Promise<void>): Promise<void> {
  for (const [name, text] of Object.entries(written(port))) {
    await to(field(hand.page, name))
    await hand.press('Control+a')
    await hand.type(text)
  }
}

export const sendTestMail = task({
  title: 'Set up mail and send a test',
  async prepare({ root }, way) {
    const server = await startMailServer(ACCOUNT)
    const keys = ['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPFrom', 'SMTPToken']
    await root.settings.update({ options: keys.map((key) => ({ key, value: null })) })
    return { server, to: `${way}@example.org` }
  },
  async mouse(hand, { server, to }) {
    const { page } = hand
    await goTo(hand, 'System settings')
    await hand.click(page.getByRole('tab', { name: 'System' }))
    await hand.click(page.getByRole('link', { name: 'Mail', exact: true }))
    await fillIn(hand, server.port, hand.click)
    // The button of the page, below its cards.
    await hand.click(page.getByRole('button', { name: 'Save mail', exact: true }))
    await page.locator('.toast').first().waitFor()
    await hand.click(field(page, 'Recipient of the test mail'))
    await hand.type(to)
    await hand.click(button(page, 'Send test mail'))
  },
  async keyboard(hand, { server, to }) {
    const { page } = hand
    await throughPalette(hand, 'system mail', found(page, 'Settings: System, Mail'))
    await field(page, 'Mail server').waitFor()
    await fillIn(hand, server.port, hand.tabTo)
    await hand.press('Control+Enter')
    await page.locator('.toast').first().waitFor()
    await hand.tabTo(field(page, 'Recipient of the test mail'))
    await hand.type(to)
    await hand.press('Enter')
  },
  async reached(page, { server, to }) {
    await page.locator('.toast').filter({ hasText: to }).waitFor()
    await server.close()
    const [mail] = server.mails
    must(server.mails.length === 1 && mail?.to.join() === to, `mails for: ${server.mails.map((one) => one.to.join())}`)
    must(mail?.from === SENDER, `it is from ${mail?.from}`)
  },
})
