// Tasks with calls that were made.
import { PEOPLE } from '../walk/seed.ts'
import { called } from './calls.ts'
import { task } from './task.ts'
import { actOn, entry, found, goTo, more, must, palette, rowOf, withFilters } from './ways.ts'

export const explainFailure = task({
  title: 'Find why a call failed, from its request id',
  prepare: (ground) => called(ground, 'no [[status=400]]'),
  async mouse(hand, request_id) {
    await hand.click(hand.page.getByRole('button', { name: 'Find or do' }))
    await palette(hand.page).waitFor()
    await hand.paste(request_id)
    await hand.click(found(hand.page, 'sandbox-small'))
  },
  async keyboard(hand, request_id) {
    await hand.press('Control+k')
    await palette(hand.page).waitFor()
    await hand.paste(request_id)
    await found(hand.page, 'sandbox-small').waitFor()
    await hand.press('Enter')
  },
  async reached(page, request_id, { root }) {
    const { log } = await root.logs.explain({ request_id })
    const panel = page.getByRole('dialog', { name: 'Call: sandbox-small' })
    await panel.getByText('400 ·').first().waitFor()
    must(!!log?.content, 'the log has no reason')
    await panel.getByText(log!.content, { exact: true }).first().waitFor()
  },
})

export const explainBill = task({
  title: 'Why a user paid what a call cost',
  prepare: (ground) => called(ground, 'hello'),
  async mouse(hand) {
    const { page } = hand
    await goTo(hand, 'Usage log')
    await withFilters(hand, async (filters) => {
      await hand.click(filters.getByRole(hand.isPhone ? 'combobox' : 'button', { name: 'Username', exact: true }))
      await hand.type(PEOPLE.user)
      await hand.click(page.getByRole('option', { name: PEOPLE.user, exact: true }))
    })
    await page.waitForURL(/username=/)
    await hand.click(more(page, 'sandbox-small').first())
    await hand.click(entry(page, 'Open'))
  },
  async keyboard(hand) {
    const { page } = hand
    await actOn(hand, 'log of a user', 'Open the log of a user', PEOPLE.user)
    await page.waitForURL(/username=/)
    await rowOf(page, 'sandbox-small').first().waitFor()
    await hand.press('j')
    await hand.press('.')
    await hand.downTo(entry(page, 'Open'))
    await hand.press('Enter')
  },
  async reached(page, request_id, { root }) {
    const { entry: ledger } = await root.logs.explain({ request_id })
    must(ledger !== undefined, 'the ledger has no entry')
    const panel = page.getByRole('dialog', { name: 'Call: sandbox-small' })
    for (const text of ['Billing process', 'Balance before', 'Balance after', request_id])
      await panel.getByText(text, { exact: true }).first().waitFor()
  },
})
