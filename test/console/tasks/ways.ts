// How things are found and done on any screen.
import type { Locator, Page } from 'playwright-core'
import type { Hand } from './hand.ts'

export const dialog = (page: Page) => page.getByRole('dialog').last()
/** Where one types into the palette; of a panel that is just being closed it is another. */
export const palette = (page: Page) => page.locator('.palette').getByRole('combobox')
export const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
/** Goes to a screen by the menu, which a phone opens first. */
export async function goTo(hand: Hand, name: string): Promise<void> {
  const { page } = hand
  if (hand.isPhone) await hand.click(page.getByRole('button', { name: 'Open menu', exact: true }))
  const menu = hand.isPhone ? dialog(page) : page.getByRole('navigation')
  await hand.click(menu.getByRole('link', { name, exact: true }))
}
/** Does something with the filters of a list, which a phone has in a panel. */
export async function withFilters(hand: Hand, set: (filters: Locator) => Promise<void>): Promise<void> {
  const { page } = hand
  if (!hand.isPhone) return set(page.getByRole('main'))
  await hand.click(page.getByRole('button', { name: /^Filters/ }))
  await set(dialog(page))
  await hand.click(inDialog(page, 'Show'))
}

export const entry = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
export const rowOf = (page: Page, name: string) =>
  page.getByRole('row').or(page.locator('main ul.cards > li')).filter({ hasText: name })
export const more = (page: Page, name: string) => page.getByRole('button', { name: `More for ${name}`, exact: true })

/** Does something with a row: by its own button, which a phone has in the menu of the row. */
export async function actOnRow(hand: Hand, name: string, act: string): Promise<void> {
  const { page } = hand
  if (!hand.isPhone) return hand.click(rowOf(page, name).getByRole('button', { name: act, exact: true }))
  await hand.click(more(page, name))
  await hand.click(entry(page, act))
}

/** Opens the palette, takes an act of it, and with it what it is about. */
export async function throughPalette(hand: Hand, typed: string, wanted: Locator): Promise<void> {
  await hand.press('Control+k')
  await palette(hand.page).waitFor()
  await hand.type(typed)
  await hand.downTo(wanted)
  await hand.press('Enter')
}

export const found = (page: Page, text: string) => dialog(page).getByRole('option').filter({ hasText: text }).first()

export async function actOn(hand: Hand, typed: string, act: string, name: string): Promise<void> {
  await throughPalette(hand, typed, found(hand.page, act))
  await hand.type(name)
  await hand.downTo(found(hand.page, name))
  await hand.press('Enter')
}

/** To the one row that a search of the list leaves. */
export async function searchByMouse(hand: Hand, label: string, name: string): Promise<void> {
  await hand.click(hand.page.getByLabel(label))
  await hand.type(name)
  await hand.press('Enter')
  await onlyRow(hand.page, name)
}

/** Until the list has what was searched, and nothing else. */
export async function onlyRow(page: Page, name: string): Promise<void> {
  await rowOf(page, name).waitFor()
  await page.waitForFunction(
    () => document.querySelectorAll('main table.rows > tbody > tr:first-child, main ul.cards > li').length === 1,
  )
}

/** Throws where the outcome is another one. */
export const must = (holds: boolean, what: string) => {
  if (!holds) throw new Error(what)
}
