// Tasks with models.
import type { Locator, Page } from 'playwright-core'
import type { Hand } from './hand.ts'
import { task } from './task.ts'
import { found, goTo, must, throughPalette } from './ways.ts'

const FIRST = 'sandbox-small'
const SECOND = 'sandbox-large'
const QUESTION = 'Which of you is better?'

const model = (page: Page, n: number) => page.getByRole('combobox', { name: `Model ${n}` })
const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const option = (page: Page, name: string) => page.getByRole('option', { name, exact: true })

/** Into a field of models that is open. */
async function pick(hand: Hand, name: string): Promise<void> {
  await hand.type(name)
  await option(hand.page, name).waitFor()
  await hand.press('Enter')
}

const answers = (page: Page): Locator => page.locator('.turn').last().locator('.answer')

export const tryAgainst = task({
  title: 'Try a model against another',
  who: 'user',
  prepare: async () => null,
  async mouse(hand) {
    const { page } = hand
    await goTo(hand, 'Playground')
    if (hand.isPhone) await hand.click(page.getByRole('button', { name: 'Options', exact: true }))
    await hand.click(page.getByRole('button', { name: 'Add another model' }))
    for (const [at, name] of [FIRST, SECOND].entries()) {
      await hand.click(model(page, at + 1))
      await pick(hand, name)
    }
    await hand.click(message(page))
    await hand.type(QUESTION)
    await hand.click(page.getByRole('button', { name: 'Send', exact: true }))
  },
  async keyboard(hand) {
    const { page } = hand
    await throughPalette(hand, 'against', found(page, 'Try a model against another'))
    await hand.tabTo(model(page, 2))
    await pick(hand, SECOND)
    // Past the button that takes the first one away.
    await hand.press('Shift+Tab')
    await hand.press('Shift+Tab')
    await pick(hand, FIRST)
    await hand.tabTo(message(page))
    await hand.type(QUESTION)
    await hand.press('Enter')
  },
  async reached(page, _, { root }) {
    const costs = answers(page).locator('.answer-measures a')
    await costs.nth(1).waitFor()
    const links = await costs.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href))
    const asked = await Promise.all(
      links.map((link) => root.logs.explain({ request_id: new URL(link).searchParams.get('request_id')! })),
    )
    const served = asked.map(({ log }) => log?.model_name).join()
    must(served === `${FIRST},${SECOND}`, `asked were: ${served}`)
    must(
      asked.every(({ log }) => (log?.quota ?? 0) > 0),
      'they were not charged',
    )
    for (const answer of await answers(page).all())
      must((await answer.innerText()).includes('[sandbox]'), 'one is silent')
  },
})
