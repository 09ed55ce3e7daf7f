// Tasks with providers.
import type { Page } from 'playwright-core'
import { task } from './task.ts'
import { actOn, actOnRow, dialog, entry, goTo, inDialog, more, must, searchByMouse } from './ways.ts'

const SANDBOX = 1000

export const addChannel = task({
  title: 'Add a channel and see it answer',
  prepare: async (_ground, way) => `new by ${way}`,
  async mouse(hand, name) {
    const { page } = hand
    await goTo(hand, 'Channels')
    await hand.click(page.getByRole('button', { name: 'Add channel' }))
    await hand.click(dialog(page).getByRole('combobox').first())
    await hand.type('sandbox')
    await hand.click(dialog(page).getByRole('listbox').getByRole('option').first())
    await hand.click(dialog(page).getByRole('textbox', { name: 'Name', exact: true }))
    await hand.type(name)
    await hand.click(inDialog(page, 'Create channel'))
    await made(page)
    await searchByMouse(hand, 'Keyword', name)
    await actOnRow(hand, name, 'Test')
  },
  async keyboard(hand, name) {
    const { page } = hand
    await hand.press('g')
    await hand.press('c')
    await page.getByRole('button', { name: 'Add channel' }).waitFor()
    await hand.press('n')
    await dialog(page).getByRole('combobox').first().waitFor()
    await hand.type('sandbox')
    await hand.press('Enter')
    await hand.tabTo(dialog(page).getByRole('textbox', { name: 'Name', exact: true }))
    await hand.type(name)
    await hand.press('Control+Enter')
    await made(page)
    await actOn(hand, 'test a', 'Test a channel', name)
  },
  async reached(page, name, { root }) {
    await page
      .locator('.toast')
      .filter({ hasText: `channel ${name} passed` })
      .waitFor()
    const [channel] = await root.channels.search({ keyword: name })
    must(channel?.type === SANDBOX, 'it is no sandbox')
    must((channel?.test_time ?? 0) > 0, 'the channel was not tested')
  },
})

export const disableProvider = task({
  title: 'Disable a provider safely',
  async prepare({ root }, way) {
    const name = `alone by ${way}`
    await root.channels.create({ type: SANDBOX, name, key: '', models: `only-${way}`, group: 'default' })
    return { name, model: `only-${way}` }
  },
  async mouse(hand, { name, model }) {
    const { page } = hand
    await goTo(hand, 'Channels')
    await searchByMouse(hand, 'Keyword', name)
    await hand.click(more(page, name))
    await hand.click(entry(page, 'Disable'))
    await named(page, model)
    await hand.click(inDialog(page, 'Disable'))
  },
  async keyboard(hand, { name, model }) {
    const { page } = hand
    await actOn(hand, 'disable a', 'Disable a channel', name)
    await named(page, model)
    await hand.press('Enter')
  },
  async reached(page, { name }, { root }) {
    await page
      .locator('.toast')
      .filter({ hasText: `${name} disabled` })
      .waitFor()
    const [channel] = await root.channels.search({ keyword: name })
    must(channel?.status === 2, 'it is not off')
  },
})

/** It is not among the first of many. */
async function made(page: Page): Promise<void> {
  await page
    .locator('.toast')
    .filter({ hasText: /channel created/i })
    .first()
    .waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

/** What would be lost is said before it is. */
const named = (page: Page, model: string) =>
  dialog(page).getByText(`1 model loses its only channel in the group default: ${model}.`).waitFor()
